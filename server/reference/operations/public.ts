import type { Operations } from '../operation.ts'
import { noSuchModel, tooManyLooks } from '../own-refusals.ts'

const CATALOGUE = { tag: 'Catalogue', access: 'anyone', refusals: [tooManyLooks] } as const
const ONE_MODEL = { ...CATALOGUE, refusals: [noSuchModel, tooManyLooks] } as const

/** Routes for anyone. */
export const PUBLIC_OPERATIONS: Operations = {
  'GET /v1/models': { ...CATALOGUE, summary: 'List the models, in the OpenAI convention' },
  'GET /v1/models/*': { ...ONE_MODEL, summary: 'Read one model, in the OpenAI convention' },
  'GET /v1/catalog': {
    ...CATALOGUE,
    summary: 'List the models with all that is known of them',
    description: 'Weights are credits per million tokens. `null` means unknown, `0` means none.',
  },
  'GET /v1/catalog/models/*': { ...ONE_MODEL, summary: 'Read one model with all that is known of it' },
  'GET /v1/catalog/packages': { ...CATALOGUE, summary: 'List the credit packages on sale' },
  'GET /health': {
    tag: 'Health',
    access: 'anyone',
    summary: 'Ask how the service is doing',
    description: 'Answers 200 even when a store is down: the body says what is.',
    replyExample: { status: 'ok', store: 'ok', draining: false },
  },
  'GET /health/ready': {
    tag: 'Health',
    access: 'anyone',
    summary: 'Ask whether this node takes requests',
    description: 'For load balancers: 503 while it starts, drains, or is cut off from its store.',
    replyExample: { status: 'ready', store: 'ok' },
  },
  'POST /webhooks/stripe': {
    tag: 'Webhooks',
    access: 'anyone',
    summary: 'Take what Stripe reports of payments',
    description: 'Stripe signs what it sends; anything else is refused. Delivered twice, it counts once.',
    bodyExample: { id: 'evt_1', object: 'event', type: 'checkout.session.completed' },
    replyExample: { received: true },
  },
}
