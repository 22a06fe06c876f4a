import { refusals, type ServiceError } from '#contract/errors.ts'
import type { CatalogModel } from '#domains/catalog/snapshot.ts'
import { type Caller, mayUse } from '#domains/keys/caller.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Piece } from '#lib/pieces.ts'
import { SMALL_BYTES } from '#lib/shared-bytes.ts'
import { loggableError } from '#telemetry/log.ts'
import { type Admission, admit, refusalOf } from './admission/admit.ts'
import { authenticate } from './authentication/authenticate.ts'
import { passedHeaders } from './edge/caller-dialect.ts'
import { parseGenerationRequest } from './edge/parse-request.ts'
import { readBody } from './edge/read-body.ts'
import { refuse } from './edge/refuse.ts'
import { sendError, sendReply } from './edge/respond.ts'
import type { Arrival } from './exchange.ts'
import type { GenerationRequest } from './generation-request.ts'
import type { PipelineParts } from './pipeline.ts'
import type { AttemptOutcome } from './providers/provider.ts'
import { orderRoutes } from './routing/order-routes.ts'
import { RouteQueue } from './routing/route-queue.ts'

const ENDPOINT = 'count_tokens'

/** Who asks, and where the answer goes. */
type Asker = Arrival & { readonly admission: Admission; readonly caller: Caller }

/** A question whose tokens are to be counted, and the model that it would be asked of. */
type Counting = { readonly request: GenerationRequest; readonly model: CatalogModel }

/**
 * `POST /v1/messages/count_tokens`: how many tokens a question has. An upstream that counts itself is asked, else it is our
 * own estimate. It costs nothing and leaves no record; it counts in the rate window alone.
 */
export async function serveCountTokens(arrival: Arrival, parts: PipelineParts): Promise<void> {
  let admission: Admission | null = null
  try {
    const authenticated = await authenticate(arrival, parts)
    if (!authenticated.ok) return refuse(arrival, authenticated.refusal, parts)
    const caller = authenticated.value
    admission = await admit(parts, caller, 'rate')
    const refusal = refusalOf(admission)
    if (refusal) return refuse(arrival, refusal, { ...caller, log: parts.log, admission })
    parts.keyUsed(caller.keyId)
    await countFor({ ...arrival, admission, caller }, parts)
  } catch (error) {
    parts.log.error(
      { request_id: arrival.requestId, error: loggableError(error) },
      'the tokens of a question could not be counted',
    )
    sendError({ ...arrival, admission }, refusals.unavailable('The tokens can not be counted right now'))
  }
}

async function countFor(asker: Asker, parts: PipelineParts): Promise<void> {
  const read = await readBody({ request: asker.request, endpoint: ENDPOINT }, parts.bodies)
  if (!read.ok) return read.refusal === 'client-left' ? undefined : sendError(asker, read.refusal)
  try {
    const counting = await findQuestion(asker, read.value.bytes, parts)
    if (!counting.ok) return sendError(asker, counting.refusal)
    const answer = await count(counting.value, asker, parts)
    if (answer === 'client-left') return
    if (answer.ok) sendReply(asker, { pieces: answer.value })
    else sendError(asker, answer.refusal)
  } finally {
    read.value.release()
  }
}

async function findQuestion(
  { request, dialect, caller }: Asker,
  bytes: Buffer,
  { offThread, currentCatalog }: PipelineParts,
): Promise<Outcome<Counting, ServiceError>> {
  const contentType = 'application/json'
  const parsed =
    bytes.length <= SMALL_BYTES
      ? parseGenerationRequest(ENDPOINT, bytes, contentType)
      : await offThread.parseRequest({ endpoint: ENDPOINT, bytes, contentType })
  if (!parsed.ok) return parsed
  const name = parsed.value.model
  const model = currentCatalog().models.get(name)
  if (!model || !mayUse(caller, model)) return refused(refusals.modelNotFound(name))
  if (!model.endpoints.has('messages')) return refused(refusals.modelNotSupported(name, 'messages'))
  const question = { ...parsed.value, bytes, passedHeaders: passedHeaders(dialect, request) }
  return accepted({ request: question, model })
}

/** Asks the routes in their order. What one of them refuses is refused; where none can tell, we estimate. */
async function count(
  { request, model }: Counting,
  arrival: Arrival,
  { providers, offThread, ...ordering }: PipelineParts,
): Promise<Outcome<readonly Piece[], ServiceError> | 'client-left'> {
  const routes = orderRoutes(model, false, ordering)
  const queue = new RouteQueue({ routes, model }, ordering)
  for (let route = queue.next(); route !== null; route = queue.next()) {
    const attempt = providers
      .get(route.provider.kind)
      ?.attempt({ request, route, requestId: arrival.requestId })
    if (!attempt) continue
    const left = new Promise<'client-left'>(resolve =>
      arrival.departure.onLeave(() => resolve('client-left')),
    )
    const outcome: AttemptOutcome | 'client-left' = await Promise.race([attempt.outcome, left])
    arrival.departure.onLeave(null)
    if (outcome === 'client-left') {
      attempt.abort()
      return outcome
    }
    if (outcome.kind === 'reply') return accepted(outcome.reply.pieces)
    if (outcome.kind !== 'failed') continue
    if (!outcome.failure.tryElsewhere) return refused(outcome.failure.error)
    queue.noteFailed(route, outcome.failure)
  }
  const { bytes } = request
  const { input } = await offThread.estimateTokens({
    endpoint: ENDPOINT,
    requestBytes: bytes,
    outputText: '',
  })
  return accepted([Buffer.from(JSON.stringify({ input_tokens: input }))])
}
