/**
 * THE LIFE OF ONE INFERENCE REQUEST, in the order in which it happens, with every exit. Up to admission a refusal
 * costs nothing and leaves no record; from admission on every exit goes through the settlement, exactly once.
 */
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { EndpointName } from '#contract/usage.ts'
import type { CatalogSnapshot } from '#domains/catalog/snapshot.ts'
import { mayUse } from '#domains/keys/caller.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { SMALL_BYTES } from '#lib/shared-bytes.ts'
import { headerOf } from '#server/http/client-exchange.ts'
import { StorageUnavailable } from '#storage/storage.ts'
import { loggableError } from '#telemetry/log.ts'
import { type AdmissionParts, admit, refusalOf } from './admission/admit.ts'
import { type AuthenticationParts, authenticate } from './authentication/authenticate.ts'
import { passedHeaders } from './edge/caller-dialect.ts'
import { parseGenerationRequest } from './edge/parse-request.ts'
import { type BodyBudget, type BodyRefusal, type HeldBody, readBody } from './edge/read-body.ts'
import { refuse } from './edge/refuse.ts'
import { beginStream, endAnswer, sendError, sendReply } from './edge/respond.ts'
import type { Admitted, Arrival, Routed } from './exchange.ts'
import type { GenerationRequest, RequestOutline } from './generation-request.ts'
import { type IdempotencyParts, takeTurn } from './idempotency/take-turn.ts'
import type { KeepAlive } from './keep-alive.ts'
import { meter } from './metering/meter.ts'
import type { OffThread } from './off-thread/off-thread.ts'
import type { AttemptFailure, ProviderReply, ProviderStream } from './providers/provider.ts'
import { type RelayEnding, relayStream } from './relay-stream.ts'
import { orderRoutes } from './routing/order-routes.ts'
import { ClaimLost, Settlement, type SettlementParts } from './settlement/settlement.ts'
import { type TryingParts, tryRoutes } from './try-routes.ts'

/** The status on record for a client that left before it was answered; it never goes out. */
const CLIENT_CLOSED_REQUEST = 499

export type PipelineParts = AuthenticationParts &
  AdmissionParts &
  SettlementParts &
  TryingParts &
  IdempotencyParts & {
    /** Notes that a key was used just now. */
    readonly keyUsed: (keyId: string) => void
    readonly currentCatalog: () => CatalogSnapshot
    readonly offThread: OffThread
    readonly bodies: BodyBudget
    readonly keepAlive: KeepAlive
  }

/**
 * Answers one generation request, from its arrival to its last byte. Never throws. Here and below nothing is awaited that
 * is there at once: on a busy node that costs more than what is asked for.
 */
export async function serveGeneration(
  arrival: Arrival,
  endpoint: EndpointName,
  parts: PipelineParts,
): Promise<void> {
  try {
    const authenticating = authenticate(arrival, parts)
    const authenticated = authenticating instanceof Promise ? await authenticating : authenticating
    if (!authenticated.ok) return refuse(arrival, authenticated.refusal, parts)
    const caller = authenticated.value
    const admitting = admit(parts, caller, 'rate, credits and concurrency')
    const admission = admitting instanceof Promise ? await admitting : admitting
    const refusal = refusalOf(admission)
    if (refusal) return refuse(arrival, refusal, { ...caller, log: parts.log, admission })
    await serveAdmitted({ ...arrival, endpoint, caller, admission }, parts)
  } catch (error) {
    parts.log.error(
      { request_id: arrival.requestId, error: loggableError(error) },
      'a request could not be let in',
    )
    const isStoreGone = error instanceof StorageUnavailable
    sendError(
      { ...arrival, admission: null },
      isStoreGone
        ? refusals.unavailable('The service can not check this request right now')
        : refusals.internal(),
    )
  }
}

async function serveAdmitted(admitted: Admitted, parts: PipelineParts): Promise<void> {
  const settlement = new Settlement(admitted, parts)
  parts.keyUsed(admitted.caller.keyId)
  let body: HeldBody | null = null
  try {
    const read = await readBody(admitted, parts.bodies)
    if (!read.ok) return await endUnread(admitted, settlement, read.refusal)
    body = read.value
    const routing = route(admitted, settlement, body, parts)
    const routed = routing instanceof Promise ? await routing : routing
    if (!routed.ok) return await fail(admitted, settlement, routed.refusal)
    await answerOnce(routed.value, settlement, parts)
  } catch (error) {
    parts.log.error(
      { request_id: admitted.requestId, error: loggableError(error) },
      'a request failed in the gateway',
    )
    await fail(admitted, settlement, refusals.internal())
  } finally {
    body?.release()
  }
}

/** Reads the body and finds the model, its weights and the routes to it. */
function route(
  admitted: Admitted,
  settlement: Settlement,
  { bytes }: HeldBody,
  parts: PipelineParts,
): Outcome<Routed, ServiceError> | Promise<Outcome<Routed, ServiceError>> {
  const { endpoint } = admitted
  const contentType = headerOf(admitted.request, 'content-type') ?? ''
  const routeParsed = (parsed: Outcome<RequestOutline, ServiceError>) =>
    parsed.ok ? routeOutline(admitted, settlement, { outline: parsed.value, bytes }, parts) : parsed
  return bytes.length <= SMALL_BYTES
    ? routeParsed(parseGenerationRequest(endpoint, bytes, contentType))
    : parts.offThread.parseRequest({ endpoint, bytes, contentType }).then(routeParsed)
}

function routeOutline(
  admitted: Admitted,
  { progress }: Settlement,
  { outline, bytes }: { readonly outline: RequestOutline; readonly bytes: Buffer },
  parts: PipelineParts,
): Outcome<Routed, ServiceError> {
  const { endpoint } = admitted
  const generation: GenerationRequest = {
    ...outline,
    bytes,
    passedHeaders: passedHeaders(admitted.dialect, admitted.request),
  }
  progress.model = generation.model
  progress.stream = generation.stream
  const model = parts.currentCatalog().models.get(generation.model)
  if (!model || !mayUse(admitted.caller, model)) return refused(refusals.modelNotFound(generation.model))
  progress.pricedModel = model
  if (!model.endpoints.has(endpoint)) return refused(refusals.modelNotSupported(model.id, endpoint))
  const routes = orderRoutes(model, generation.stream, parts)
  return accepted({ ...admitted, generation, model, routes })
}

/** Answers; of requests with the same idempotency key one alone, and the others as that one was answered. */
function answerOnce(routed: Routed, settlement: Settlement, parts: PipelineParts): Promise<void> {
  const key = headerOf(routed.request, 'idempotency-key')
  return key === undefined
    ? answer(routed, settlement, parts)
    : answerInTurn(routed, settlement, { key, parts })
}

async function answerInTurn(
  routed: Routed,
  settlement: Settlement,
  { key, parts }: { readonly key: string; readonly parts: PipelineParts },
): Promise<void> {
  const turn = await takeTurn(routed, key, parts)
  switch (turn.kind) {
    case 'own':
      settlement.hold(turn.claim)
      return answer(routed, settlement, parts)
    case 'repeat':
      await settlement.repeat(turn.requestId)
      return sendReply({ ...routed, requestId: turn.requestId }, turn.reply)
    case 'refused':
      return fail(routed, settlement, turn.error)
    case 'client-left':
      return settlement.void({ status: 'cancelled', httpStatus: CLIENT_CLOSED_REQUEST })
  }
}

async function answer(routed: Routed, settlement: Settlement, parts: PipelineParts): Promise<void> {
  const answered = await tryRoutes(routed, parts)
  settlement.progress.route = answered.route
  settlement.progress.attempts = answered.story
  switch (answered.kind) {
    case 'refused':
      return fail(routed, settlement, answered.error)
    case 'client-left':
      return settlement.void({ status: 'cancelled', httpStatus: CLIENT_CLOSED_REQUEST })
    case 'reply':
      return finishReply(routed, settlement, answered.reply, parts)
    case 'stream':
      return finishStream(routed, settlement, answered.stream, parts)
  }
}

/** A complete reply is charged, whoever still listens, and goes out when the charge is committed. */
async function finishReply(
  routed: Routed,
  settlement: Settlement,
  reply: ProviderReply,
  parts: PipelineParts,
): Promise<void> {
  const metering = meter(parts.offThread, routed, reply)
  const metered = metering instanceof Promise ? await metering : metering
  try {
    await settlement.post({ status: 'succeeded', metered, answer: reply })
  } catch (error) {
    return failUncharged(routed, settlement, error)
  }
  sendReply(routed, reply)
}

async function finishStream(
  routed: Routed,
  settlement: Settlement,
  stream: ProviderStream,
  parts: PipelineParts,
): Promise<void> {
  const { response, departure, arrivedMonotonicMs } = routed
  if (!departure.left) beginStream(routed, stream)
  const ending = await relayStream({
    stream,
    response,
    departure,
    keepAlive: parts.keepAlive,
    keepAliveEvent: routed.dialect.keepAliveEvent,
    onFirstContent: () => {
      settlement.progress.firstTokenMs = Math.round(parts.clock.monotonicMs() - arrivedMonotonicMs)
    },
  })
  const { nextEventNumber: eventNumber } = stream.reading
  await settleStream({ ...routed, eventNumber }, settlement, { ending, stream }, parts)
}

async function settleStream(
  routed: Routed,
  settlement: Settlement,
  { ending, stream }: { readonly ending: RelayEnding; readonly stream: ProviderStream },
  parts: PipelineParts,
): Promise<void> {
  switch (ending.kind) {
    case 'complete': {
      const metered = await meter(parts.offThread, routed, stream.reading)
      try {
        await settlement.post({ status: 'succeeded', metered, answer: null })
      } catch (error) {
        return failUncharged(routed, settlement, error)
      }
      endAnswer(routed.response, ending.lastBytes)
      return
    }
    case 'broken':
      logBreak(routed, ending.failure, parts)
      settlement.progress.attempts?.brokeOff()
      if (settlement.progress.route) parts.health.noteAttempt(settlement.progress.route, 'broke_off')
      return fail(routed, settlement, ending.failure.error)
    case 'client-left': {
      // An estimate can take longer than the second within which a client that left has its slot back.
      void settlement.releaseSlot()
      if (!ending.reachedClient) {
        return settlement.void({ status: 'cancelled', httpStatus: CLIENT_CLOSED_REQUEST })
      }
      const metered = await meter(parts.offThread, routed, stream.reading)
      // Nobody waits for this answer; what went wrong is in the log.
      return settlement.post({ status: 'cancelled', metered, answer: null }).catch(() => {})
    }
  }
}

const CHARGE_NOT_RECORDED = refusals.unavailable('The charge for this request can not be recorded right now')

/** A charge that can't be committed means that no complete answer may go out. */
function failUncharged(routed: Routed, settlement: Settlement, error: unknown): Promise<void> {
  return fail(routed, settlement, error instanceof ClaimLost ? error.refusal : CHARGE_NOT_RECORDED)
}

/** Ends the request without a charge and tells the client why. */
async function fail(admitted: Admitted, settlement: Settlement, error: ServiceError): Promise<void> {
  const httpStatus = admitted.response.headersSent ? admitted.response.statusCode : error.status
  await settlement.void({ status: 'failed', httpStatus, error })
  sendError(admitted, error)
}

async function endUnread(admitted: Admitted, settlement: Settlement, refusal: BodyRefusal): Promise<void> {
  if (refusal !== 'client-left') return fail(admitted, settlement, refusal)
  await settlement.void({ status: 'cancelled', httpStatus: CLIENT_CLOSED_REQUEST })
}

function logBreak({ requestId, model }: Routed, failure: AttemptFailure, { log }: PipelineParts): void {
  log.warn(
    { request_id: requestId, model: model.id, error: { type: failure.error.type, detail: failure.detail } },
    'a stream broke off upstream',
  )
}
