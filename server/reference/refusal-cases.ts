import { refusals, type ServiceError } from '#contract/errors.ts'
import type { Access, Operation, Refusal } from './operation.ts'

/** A route as far as it decides how it can refuse. */
export type RefusalSubject = {
  readonly operation: Operation
  readonly access: Access
  readonly method: string
  readonly path: string
  readonly takesBody: boolean
  readonly takesQuery: boolean
}

const PORTAL_BODY_LIMIT = 1024 * 1024
const GATEWAY_BODY_LIMIT = 32 * 1024 * 1024

/** Every refusal that a route can answer with: those of its kind, and its own. */
export function listRefusals(subject: RefusalSubject): Refusal[] {
  const { operation, access } = subject
  const common = access === 'key' ? keyRefusals(subject) : pageRefusals(subject)
  const own = operation.refusals ?? []
  return [...common, ...own, ...always(subject)]
}

const refuse = (when: string, error: ServiceError): Refusal => ({ when, error })

function always({ method }: RefusalSubject): Refusal[] {
  return [
    refuse('Another method than those that the path has', refusals.methodNotAllowed(method)),
    refuse('A defect of ours', refusals.internal()),
    refuse(
      'The store does not answer, or the node is shutting down',
      refusals.unavailable('The service can not reach its records right now; try again shortly'),
    ),
  ]
}

function keyRefusals({ operation, takesBody }: RefusalSubject): Refusal[] {
  const entry = [
    refuse(
      'The key is missing, malformed, revoked, expired or unknown',
      refusals.unauthenticated('A valid API key is required in the header: Authorization: Bearer gw_…'),
    ),
    refuse("The key's request rate is exceeded", refusals.rateLimited()),
  ]
  const repeats = operation.takesIdempotencyKey
    ? [
        refuse(
          'The Idempotency-Key was used for another request, or for a stream',
          refusals.conflict('This Idempotency-Key was used for another request'),
        ),
      ]
    : []
  return takesBody ? [...entry, ...generationRefusals(), ...repeats] : entry
}

function generationRefusals(): Refusal[] {
  return [
    refuse("All of the key's requests are in flight", refusals.concurrencyReached(32)),
    refuse("The account's credits are used up", refusals.creditsExhausted()),
    refuse(
      'The key has spent its cap for the day or the month',
      refusals.keySpendingCapReached('day', 3_600),
    ),
    refuse('The upstream throttles the service', refusals.upstreamThrottled(20)),
    refuse('A field is missing or has the wrong type', refusals.invalid('model: expected a string')),
    refuse(
      'The model does not serve this route',
      refusals.modelNotSupported('acme/embed-1', 'chat completions'),
    ),
    refuse('There is no such model for this caller', refusals.modelNotFound('acme/none')),
    refuse(
      'The upstream refused the request itself; 404, 413 and 422 are passed on likewise',
      refusals.upstreamRefused(
        400,
        'context_length_exceeded',
        "This model's maximum context length is 8192 tokens",
      ),
    ),
    ...bodyRefusals(GATEWAY_BODY_LIMIT),
    refuse(
      'The upstream failed, refused our credentials, or sent no valid answer',
      refusals.upstreamFailed(),
    ),
    refuse(
      'There is no usable route to the model',
      refusals.unavailable('No provider of this model can be reached right now'),
    ),
    refuse('The upstream is too slow', refusals.upstreamTimedOut()),
  ]
}

function bodyRefusals(limitBytes: number): Refusal[] {
  return [
    refuse('The body is too large', refusals.tooLarge(limitBytes)),
    refuse('The body is not sent as JSON', refusals.unsupportedMediaType()),
  ]
}

function pageRefusals({ access, method, path, takesBody, takesQuery }: RefusalSubject): Refusal[] {
  const list: Refusal[] = []
  if (takesBody || takesQuery) {
    const message = takesBody
      ? 'name: must be plain text on one line'
      : 'limit: Too big: expected number to be <=100'
    list.push(refuse('A field is missing or has the wrong type', refusals.invalid(message)))
  }
  if (access !== 'anyone')
    list.push(refuse('Nobody is signed in', refusals.unauthenticated('Sign in to continue')))
  const changes = method !== 'GET' && path.match(/^\/(client|admin)\//)
  if (changes)
    list.push(
      refuse(
        'The request names a foreign `Origin`',
        refusals.forbidden('This request comes from a foreign origin'),
      ),
    )
  if (changes && access === 'administrator') {
    list.push(
      refuse(
        "The administrator's role does not allow it",
        refusals.forbidden('Your role does not allow this'),
      ),
    )
  }
  if (takesBody) list.push(...bodyRefusals(PORTAL_BODY_LIMIT))
  return list
}
