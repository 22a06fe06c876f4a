import { type ErrorEnvelope, type ErrorType, errorEnvelope } from '#contract/errors.ts'

/** What can go wrong beside what the service answers: it was not reached, or what it answered is not by the contract. */
export type FailureType = ErrorType | 'unreachable' | 'unexpected_reply'

/** A call that did not succeed: the envelope of the answer, with what else is needed to act on it. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** 0 when there was no answer. */
  readonly status: number
  readonly type: FailureType
  readonly code: string | null
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null

  constructor(failure: Omit<ErrorEnvelope['error'], 'type'> & Omit<ApiError, keyof Error>) {
    super(failure.message)
    this.status = failure.status
    this.type = failure.type
    this.code = failure.code
    this.requestId = failure.requestId
    this.retryAfterSeconds = failure.retryAfterSeconds
  }
}

/** The error that an answer outside the 200s stands for. */
export async function readApiError(response: Response): Promise<ApiError> {
  const { status, headers } = response
  const common = {
    status,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: Number(headers.get('retry-after')) || null,
  }
  const envelope = errorEnvelope.safeParse(await response.json().catch(() => null))
  return envelope.success ? envelopeError(envelope.data, common) : unexpectedReply(common)
}

type Circumstances = Pick<ApiError, 'status' | 'requestId' | 'retryAfterSeconds'>

/** The error that an envelope tells of. */
export function envelopeError({ error }: ErrorEnvelope, circumstances: Circumstances): ApiError {
  const { message, type, code } = error
  // The contract's table names every type; a newer service's type falls through every comparison, as it should.
  return new ApiError({ ...circumstances, message, code, type: type as ErrorType })
}

export function unexpectedReply(common: Circumstances): ApiError {
  const message = 'The service answered something unexpected. It may have been updated: reload the page.'
  return new ApiError({ ...common, message, code: null, type: 'unexpected_reply' })
}

export function unreachable(): ApiError {
  return new ApiError({
    message: 'The service could not be reached. Check your connection and try again.',
    status: 0,
    type: 'unreachable',
    code: null,
    requestId: null,
    retryAfterSeconds: null,
  })
}
