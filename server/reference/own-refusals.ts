import { refusals } from '#contract/errors.ts'
import type { Refusal } from './operation.ts'

/** 404: what the address names is not there, or is another user's. */
export const notFound = (message: string): Refusal => ({
  when: 'What is named is not there, or is not yours',
  error: refusals.notFound(message),
})

/** 409: it contradicts how things are. */
export const conflict = (message: string): Refusal => ({
  when: 'It contradicts how things are',
  error: refusals.conflict(message),
})

/** 403: whoever asks is known, and may not. */
export const forbidden = (message: string): Refusal => ({
  when: 'It is not allowed',
  error: refusals.forbidden(message),
})

/** 400: each field is of its type, and together they make no sense. */
export const invalid = (message: string): Refusal => ({
  when: 'The request makes no sense',
  error: refusals.invalid(message),
})

/** 401 of the doors. */
export const wrongPair: Refusal = {
  when: 'The e-mail address or the password is wrong; it is not told which',
  error: refusals.unauthenticated('The e-mail or the password is wrong'),
}

/** 429 of the doors. */
export const tooManyAttempts: Refusal = {
  when: 'Too many attempts failed, for the e-mail address or from the network',
  error: refusals.rateLimited(300),
}

/** 429 of the public catalogue. */
export const tooManyLooks: Refusal = {
  when: 'The caller’s address has used up its calls; one is free again every second',
  error: refusals.rateLimited(1),
}

export const noSuchModel: Refusal = {
  when: 'There is no such model',
  error: refusals.modelNotFound('acme/none'),
}
