import { refusals } from '#contract/errors.ts'
import { secretsOf } from '#domains/catalog/provider-credential.ts'
import type { CatalogProvider } from '#domains/catalog/snapshot.ts'
import type { AttemptFailure } from '#gateway/providers/provider.ts'
import type { TransportError } from '#gateway/providers/transport.ts'
import { redactText } from '#telemetry/log.ts'

/**
 * Answers in the 400s that say something about us and not about the request: refused credentials (401, 403, 407), an
 * account of ours without money (402), a wrong base URL (405).
 */
const OUR_FAULT = new Set([401, 402, 403, 405, 407])
const TOO_SLOW = new Set([408, 504])
const MAX_MESSAGE_CHARS = 2_000
const MAX_DETAIL_CHARS = 500
/** Shorter ones are placeholders (`none`, `ollama`) that are no secret and may be words of a message. */
const MIN_SECRET_CHARS = 8

type UpstreamMessage = { readonly message: string | null; readonly code: string | null }

function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null
}

/** Reads the message out of the shapes that compatible servers send: `{error:{…}}`, `{error:"…"}`, `{message}`, `{detail}`. */
function readMessage(body: unknown): UpstreamMessage {
  if (typeof body !== 'object' || body === null) return { message: null, code: null }
  const outer = body as Record<string, unknown> // an object's members may be read by name
  const inner = outer.error
  if (typeof inner === 'object' && inner !== null) {
    const { message, code } = inner as Record<string, unknown>
    return { message: asText(message), code: asText(code) }
  }
  const message = asText(inner) ?? asText(outer.message) ?? asText(outer.Message) ?? readDetail(outer.detail)
  return { message, code: asText(outer.code) }
}

/** Servers built on FastAPI list what was wrong: https://fastapi.tiangolo.com/tutorial/handling-errors/ */
function readDetail(detail: unknown): string | null {
  if (!Array.isArray(detail)) return asText(detail)
  const first: unknown = detail[0]
  return typeof first === 'object' && first !== null && 'msg' in first ? asText(first.msg) : null
}

function parseBody(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}

/** Whole seconds until an upstream wants to be asked again; null when it did not say. */
export function retryAfterSeconds(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  nowMs: number,
): number | null {
  const inMs = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] !== undefined && Number.isFinite(inMs))
    return Math.max(0, Math.ceil(inMs / 1000))
  const value = headers['retry-after']
  if (typeof value !== 'string') return null
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Math.ceil(Number(value))
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - nowMs) / 1000))
}

/** The status that an upstream means, where it says another: given its status and its body. */
export type StatusMeant = (status: number, body: unknown) => number

/** What an error answer of an upstream means for the caller. */
export function fromErrorAnswer(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Buffer,
  statusMeant: StatusMeant = said => said,
): AttemptFailure {
  const parsed = parseBody(body)
  const failure = fromErrorBody(statusMeant(status, parsed), parsed, retryAfterSeconds(headers, Date.now()))
  return { ...failure, upstreamStatus: status }
}

/** What an error body means that came with this status, or stands for it within a stream. */
export function fromErrorBody(status: number, body: unknown, retryAfter: number | null): AttemptFailure {
  const { message, code } = readMessage(body)
  const failure = {
    tryElsewhere: true,
    detail: redactText(`status ${status}${message ? `: ${message}` : ''}`).slice(0, MAX_DETAIL_CHARS),
    meantStatus: status,
    ...(retryAfter === null ? {} : { retryAfterSeconds: retryAfter }),
  }
  if (status === 429) return { ...failure, error: refusals.upstreamThrottled(retryAfter) }
  if (TOO_SLOW.has(status)) return { ...failure, error: refusals.upstreamTimedOut() }
  if (status >= 400 && status < 500 && !OUR_FAULT.has(status)) {
    const told = redactText(message ?? `The upstream refused the request (${status})`).slice(
      0,
      MAX_MESSAGE_CHARS,
    )
    // A model or path that one upstream does not know may be known to the next.
    return { ...failure, error: refusals.upstreamRefused(status, code, told), tryElsewhere: status === 404 }
  }
  return { ...failure, error: refusals.upstreamFailed() }
}

/** An error inside a 200 answer or an event. Some servers put the status they mean into its code. */
export function fromErrorInside(body: unknown): AttemptFailure {
  const { code } = readMessage(body)
  const status = code !== null && /^[45]\d\d$/.test(code) ? Number(code) : 500
  return fromErrorBody(status, body, null)
}

/** The same failure without the secrets that we sent: some servers repeat a refused key in their message. */
export function withoutSecrets(
  failure: AttemptFailure,
  { credential, headers }: CatalogProvider,
): AttemptFailure {
  const { error, detail } = failure
  const secrets = [...secretsOf(credential), ...Object.values(headers)].filter(
    secret => secret.length >= MIN_SECRET_CHARS,
  )
  const hide = (text: string) => secrets.reduce((told, secret) => told.replaceAll(secret, '…'), text)
  return {
    ...failure,
    error: { ...error, message: hide(error.message), code: error.code === null ? null : hide(error.code) },
    detail: hide(detail),
  }
}

export function fromTransportError(error: TransportError): AttemptFailure {
  const failure = { tryElsewhere: true, detail: redactText(error.detail) }
  return error.kind === 'timeout'
    ? { ...failure, error: refusals.upstreamTimedOut() }
    : { ...failure, error: refusals.upstreamFailed(), wasUnreachable: true }
}

/** An answer that is none: not JSON, not the promised shape, cut off. */
export function invalidAnswer(detail: string): AttemptFailure {
  return {
    error: refusals.upstreamFailed('The upstream provider sent an answer that is not valid'),
    tryElsewhere: true,
    detail,
  }
}
