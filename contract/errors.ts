import { z } from 'zod'

/** The one envelope of every error of every route. */
export const errorEnvelope = z.object({
  error: z.object({ message: z.string(), type: z.string(), code: z.string().nullable() }),
})

export type ErrorEnvelope = z.infer<typeof errorEnvelope>

/** The types that clients branch on, beside status and code. */
export type ErrorType =
  | 'authentication_error'
  | 'rate_limit_exceeded'
  | 'insufficient_quota'
  | 'upstream_rate_limited'
  | 'invalid_request_error'
  | 'permission_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'internal_error'
  | 'upstream_error'
  | 'service_unavailable'
  | 'upstream_timeout'

/** An error on its way to a caller: everything that the envelope and the headers need. */
export type ServiceError = {
  readonly status: number
  readonly type: ErrorType
  readonly code: string | null
  readonly message: string
  /** Extra response headers, in lower case: `retry-after`, `x-should-retry`, `allow`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The body of an error reply. */
export function toEnvelope(error: ServiceError): ErrorEnvelope {
  return { error: { message: error.message, type: error.type, code: error.code } }
}

/** The error of the routes that speak Anthropic's dialect: the same statuses and causes in its words. */
export const anthropicErrorEnvelope = z.object({
  type: z.literal('error'),
  error: z.object({ type: z.string(), message: z.string() }),
  request_id: z.string(),
})

export type AnthropicErrorEnvelope = z.infer<typeof anthropicErrorEnvelope>

/** Anthropic's types follow the status: https://docs.claude.com/en/api/errors (2026-11), and `ErrorType` of its SDK. */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

/** The body of an error reply in Anthropic's shape. */
export function toAnthropicEnvelope(
  { status, message }: ServiceError,
  requestId: string,
): AnthropicErrorEnvelope {
  const type = ANTHROPIC_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  return { type: 'error', error: { type, message }, request_id: requestId }
}

/** Every refusal that the service itself can give, one function a row of the contract's table. */
export const refusals = {
  unauthenticated: (message: string): ServiceError => ({
    status: 401,
    type: 'authentication_error',
    code: null,
    message,
  }),
  rateLimited: (retryAfterSeconds = 60): ServiceError => ({
    status: 429,
    type: 'rate_limit_exceeded',
    code: null,
    message: 'Rate limit exceeded',
    headers: { 'retry-after': String(Math.max(1, retryAfterSeconds)) },
  }),
  concurrencyReached: (limit: number): ServiceError => ({
    status: 429,
    type: 'insufficient_quota',
    code: 'concurrency_limit',
    message: `All ${limit} of this key's concurrent requests are in flight`,
    headers: { 'retry-after': '1' },
  }),
  creditsExhausted: (): ServiceError => ({
    status: 429,
    type: 'insufficient_quota',
    code: null,
    message: 'AI credit quota exhausted',
    headers: { 'retry-after': '60', 'x-should-retry': 'false' },
  }),
  keySpendingCapReached: (period: 'day' | 'month', retryAfterSeconds: number): ServiceError => ({
    status: 429,
    type: 'insufficient_quota',
    code: 'key_spending_cap',
    message: `This key has spent what it may spend in a ${period}`,
    headers: { 'retry-after': String(Math.max(1, retryAfterSeconds)), 'x-should-retry': 'false' },
  }),
  upstreamThrottled: (retryAfterSeconds: number | null): ServiceError => ({
    status: 429,
    type: 'upstream_rate_limited',
    code: 'upstream_rate_limited',
    message: 'The model is receiving too many requests upstream; try again later',
    ...(retryAfterSeconds === null ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }),
  }),
  invalid: (message: string): ServiceError => ({
    status: 400,
    type: 'invalid_request_error',
    code: null,
    message,
  }),
  /** What a caller asked for can't be said to the upstream that serves the model. */
  notCarriedOver: (field: string, reason: string): ServiceError => ({
    status: 400,
    type: 'invalid_request_error',
    code: 'unsupported_parameter',
    message: `${field}: ${reason}`,
  }),
  modelNotFound: (model: string): ServiceError => ({
    status: 404,
    type: 'invalid_request_error',
    code: 'model_not_found',
    message: `The model '${model}' does not exist or is not available to you`,
  }),
  modelNotSupported: (model: string, endpoint: string): ServiceError => ({
    status: 400,
    type: 'invalid_request_error',
    code: 'model_not_supported',
    message: `The model '${model}' does not serve ${endpoint}`,
  }),
  upstreamRefused: (status: number, code: string | null, message: string): ServiceError => ({
    status,
    type: 'invalid_request_error',
    code,
    message,
  }),
  tooLarge: (limitBytes: number): ServiceError => ({
    status: 413,
    type: 'invalid_request_error',
    code: 'request_too_large',
    message: `The request body is larger than ${limitBytes} bytes`,
  }),
  unsupportedMediaType: (due = 'application/json'): ServiceError => ({
    status: 415,
    type: 'invalid_request_error',
    code: null,
    message: `The request body must be sent as ${due}`,
  }),
  forbidden: (message: string): ServiceError => ({
    status: 403,
    type: 'permission_error',
    code: null,
    message,
  }),
  notFound: (message = 'No such resource'): ServiceError => ({
    status: 404,
    type: 'not_found_error',
    code: null,
    message,
  }),
  methodNotAllowed: (allow: string): ServiceError => ({
    status: 405,
    type: 'invalid_request_error',
    code: null,
    message: `This route answers ${allow} only`,
    headers: { allow },
  }),
  conflict: (message: string): ServiceError => ({
    status: 409,
    type: 'conflict_error',
    code: null,
    message,
  }),
  internal: (): ServiceError => ({
    status: 500,
    type: 'internal_error',
    code: null,
    message: 'Something went wrong on our side; the request id identifies it',
  }),
  upstreamFailed: (message = 'The upstream provider failed to answer'): ServiceError => ({
    status: 502,
    type: 'upstream_error',
    code: null,
    message,
  }),
  unavailable: (message: string, retryAfterSeconds = 1): ServiceError => ({
    status: 503,
    type: 'service_unavailable',
    code: null,
    message,
    headers: { 'retry-after': String(retryAfterSeconds) },
  }),
  upstreamTimedOut: (): ServiceError => ({
    status: 504,
    type: 'upstream_timeout',
    code: null,
    message: 'The upstream provider took too long to answer',
  }),
} as const
