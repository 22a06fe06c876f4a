import { chatRequest } from '#contract/generation.ts'
import type { Operations } from '../operation.ts'
import { conflict, forbidden, invalid, notFound, tooManyAttempts } from '../own-refusals.ts'
import { signingInOperations } from './signing-in.ts'

const NO_SUCH_KEY = notFound('No such key')
const REVOKED = conflict('This key is revoked')
const PAST_EXPIRY = invalid('expires_at: must be in the future')
const KEYS = { tag: 'Portal: keys' } as const
const USAGE = { tag: 'Portal: usage' } as const
const CREDITS = { tag: 'Portal: credits' } as const

const OWN: Operations = {
  'POST /client/sign-up': {
    tag: 'Portal: signing in',
    access: 'anyone',
    summary: 'Sign up',
    description: 'Makes a user with an account of their own, and signs in.',
    refusals: [forbidden('Sign-up is closed'), conflict('This e-mail address is taken'), tooManyAttempts],
  },
  'GET /client/keys': { ...KEYS, summary: 'List your keys' },
  'POST /client/keys': {
    ...KEYS,
    summary: 'Make a key',
    description: 'The answer shows the token, the only time that anyone sees it.',
    refusals: [PAST_EXPIRY, conflict('A user can hold 100 keys that are not revoked')],
  },
  'PATCH /client/keys/:id': { ...KEYS, summary: 'Rename a key', refusals: [NO_SUCH_KEY, REVOKED] },
  'DELETE /client/keys/:id': {
    ...KEYS,
    summary: 'Revoke a key',
    description: 'It is refused at once, and for good.',
    refusals: [NO_SUCH_KEY, REVOKED],
  },
  'POST /client/playground/chat/completions': {
    ...KEYS,
    summary: "Chat under the limits of one of your keys, at your account's cost",
    description:
      'For the playground of the portal: as `POST /v1/chat/completions`, but by session. A `gw_` key is never accepted.',
    body: chatRequest,
    bodyExample: {
      model: 'acme/scale-1',
      messages: [{ role: 'user', content: 'What is gold?' }],
      stream: true,
    },
    replyExample: { object: 'chat.completion', model: 'acme/scale-1' },
    refusals: [notFound('You have no key of this id that can be used')],
  },
  'GET /client/usage': {
    ...USAGE,
    summary: 'Read usage by hour or day',
    description:
      'Hours and days without requests are left out. Sums of `groups` and of `data` are those of `totals`.',
  },
  'GET /client/usage.csv': {
    ...USAGE,
    summary: 'Export usage by hour or day',
    replyType: 'text/csv',
  },
  'GET /client/requests': { ...USAGE, summary: 'List single requests, newest first' },
  'GET /client/requests/:id': {
    ...USAGE,
    summary: 'Read a single request with its receipt',
    refusals: [notFound('No such request')],
  },
  'GET /client/requests.csv': { ...USAGE, summary: 'Export single requests', replyType: 'text/csv' },
  'GET /client/live': { ...USAGE, summary: "Read what runs now against each key's limits" },
  'GET /client/ledger': { ...USAGE, summary: 'List every change of the balance, newest first' },
}

const BUYING: Operations = {
  'GET /client/payment-options': { ...CREDITS, summary: 'Read how credits can be paid for' },
  'GET /client/packages': { ...CREDITS, summary: 'List the packages on sale' },
  'GET /client/orders': { ...CREDITS, summary: 'List your orders, newest first' },
  'POST /client/orders': {
    ...CREDITS,
    summary: 'Order a package of credits',
    refusals: [
      notFound('No such package is on sale'),
      conflict('Buying is not set up this way; ask the operator'),
    ],
  },
  'GET /client/orders/:id': { ...CREDITS, summary: 'Read an order', refusals: [notFound('No such order')] },
  'GET /client/orders/:id/receipt': {
    ...CREDITS,
    summary: 'Get the receipt of an order',
    replyType: 'text/html',
    refusals: [notFound('No such order')],
  },
  'GET /client/expiring-credits': {
    ...CREDITS,
    summary: 'List what of your credits will end, soonest first',
    description: 'Credits that end are used before others.',
  },
  'GET /client/auto-top-up': { ...CREDITS, summary: 'Read when credits are bought by themselves' },
  'PUT /client/auto-top-up': {
    ...CREDITS,
    summary: 'Say when credits are bought by themselves',
    refusals: [
      notFound('No such package is on sale'),
      conflict('Save a payment method with a purchase first'),
    ],
  },
  'DELETE /client/payment-method': { ...CREDITS, summary: 'Forget the payment method that was saved' },
  'POST /client/promo-codes/redeem': {
    ...CREDITS,
    summary: 'Redeem a promotion code',
    refusals: [
      notFound('This code is not valid, or not valid any more'),
      conflict('You have used this code already'),
      tooManyAttempts,
    ],
  },
}

/** Routes of the portal. */
export const PORTAL_OPERATIONS: Operations = {
  ...signingInOperations({ path: '/client', tag: 'Portal: signing in', person: 'a user' }),
  ...OWN,
  ...BUYING,
}
