import type { Operations } from '../operation.ts'
import { conflict, invalid, notFound } from '../own-refusals.ts'
import { signingInOperations } from './signing-in.ts'

const PEOPLE = { tag: 'Administration: people' } as const
const MODELS = { tag: 'Administration: models' } as const
const SALES = { tag: 'Administration: sales' } as const
const SERVICE = { tag: 'Administration: service' } as const

const NO_ACCOUNT = notFound('No such account')
const CLOSED = conflict('This account is closed')
const NO_USER = notFound('No such user')
const NO_KEY = notFound('No such key')
const NO_PROVIDER = notFound('No such provider')
const NO_MODEL = notFound('No such model')
const NO_PACKAGE = notFound('No such package')
const NO_ORDER = notFound('No such order')
const TAKEN = conflict('This e-mail address is taken')
const RACED = conflict('This is being changed by others at the same time; try again')
const MOVED = invalid('credential: must be given again when the address changes to another server')
const OUTDATED = conflict('weights: changed since they were read; read the model again')
const MANAGED = conflict('This is managed by the configuration file')

const PEOPLE_OPERATIONS: Operations = {
  'GET /admin/accounts': { ...PEOPLE, summary: 'List accounts' },
  'POST /admin/accounts': { ...PEOPLE, summary: 'Make an account with its owner', refusals: [TAKEN] },
  'GET /admin/accounts/:id': { ...PEOPLE, summary: 'Read an account', refusals: [NO_ACCOUNT] },
  'PATCH /admin/accounts/:id': {
    ...PEOPLE,
    summary: 'Rename, suspend or resume an account',
    description: 'The keys of a suspended account answer 401.',
    refusals: [NO_ACCOUNT, CLOSED, RACED],
  },
  'POST /admin/accounts/:id/close': {
    ...PEOPLE,
    summary: 'Close an account for good',
    description:
      'Its keys are revoked, the sessions of its users end, and none of them can sign in. Its balance stays on the books; what is paid out is taken from it by an adjustment.',
    refusals: [
      NO_ACCOUNT,
      CLOSED,
      RACED,
      invalid('confirm: must be the name of the account, as it is written'),
    ],
  },
  'POST /admin/accounts/:id/reopen': {
    ...PEOPLE,
    summary: 'Reopen a closed account',
    description: 'Its users can sign in again. Keys that were revoked stay so.',
    refusals: [NO_ACCOUNT, conflict('This account is not closed'), RACED],
  },
  'POST /admin/accounts/:id/credits': {
    ...PEOPLE,
    summary: 'Grant, adjust or refund credits',
    description: 'Answers the entry of the ledger.',
    refusals: [NO_ACCOUNT, invalid('amount: must have at most six decimals')],
  },
  'GET /admin/accounts/:id/ledger': {
    ...PEOPLE,
    summary: "List every change of an account's balance",
    refusals: [NO_ACCOUNT],
  },
  'GET /admin/users': { ...PEOPLE, summary: 'List users' },
  'POST /admin/users': { ...PEOPLE, summary: 'Make a user', refusals: [NO_ACCOUNT, CLOSED, TAKEN] },
  'PATCH /admin/users/:id': {
    ...PEOPLE,
    summary: 'Change, disable or enable a user',
    refusals: [NO_USER, TAKEN, RACED],
  },
  'DELETE /admin/users/:id/two-factor': {
    ...PEOPLE,
    summary: "Take a user's second factor away",
    refusals: [notFound('No such person')],
  },
  'GET /admin/administrators': { ...PEOPLE, summary: 'List administrators' },
  'POST /admin/administrators': {
    ...PEOPLE,
    summary: 'Make an administrator',
    refusals: [conflict('There is an administrator with this e-mail')],
  },
  'PATCH /admin/administrators/:id': {
    ...PEOPLE,
    summary: "Change an administrator's role or state",
    refusals: [
      notFound('No such administrator'),
      conflict('Somebody has to own the service: make another owner first'),
    ],
  },
  'GET /admin/keys': { ...PEOPLE, summary: 'List keys' },
  'POST /admin/keys': {
    ...PEOPLE,
    summary: 'Make a key for a user',
    refusals: [NO_USER, conflict('A user can hold 100 keys that are not revoked')],
  },
  'PATCH /admin/keys/:id': {
    ...PEOPLE,
    summary: "Change a key's name, limits or expiry",
    refusals: [NO_KEY, conflict('This key is revoked')],
  },
  'DELETE /admin/keys/:id': {
    ...PEOPLE,
    summary: 'Revoke a key',
    refusals: [NO_KEY, conflict('This key is revoked')],
  },
}

const MODEL_OPERATIONS: Operations = {
  'GET /admin/providers': { ...MODELS, summary: 'List providers' },
  'POST /admin/providers': {
    ...MODELS,
    summary: 'Add a provider',
    description:
      'Its credentials are encrypted at rest, and never shown again. Several are used in turns. `endpoints` says what an OpenAI-compatible server serves itself, where that is not all that its kind does.',
    refusals: [conflict("There is a provider named 'acme' already")],
  },
  'GET /admin/providers/:id': { ...MODELS, summary: 'Read a provider', refusals: [NO_PROVIDER] },
  'PATCH /admin/providers/:id': {
    ...MODELS,
    summary: 'Change a provider',
    description:
      'What is stored stays with its server: with a `base_url` of another scheme, host or port, credentials and secret headers are given again, or taken away.',
    refusals: [NO_PROVIDER, MOVED, MANAGED, RACED],
  },
  'DELETE /admin/providers/:id': {
    ...MODELS,
    summary: 'Take a provider away',
    refusals: [NO_PROVIDER, MANAGED, conflict('Models have routes to this provider; take those away first')],
  },
  'GET /admin/providers/:id/health': {
    ...MODELS,
    summary: 'Read how a provider fared, by five minutes, hour or day',
    description:
      'What every node counted of its attempts, at most five seconds old; a node that is killed takes its last seconds with it.',
    refusals: [NO_PROVIDER, invalid('to: must be after from')],
  },
  'POST /admin/providers/:id/test': {
    ...MODELS,
    summary: 'Try whether a provider answers',
    refusals: [NO_PROVIDER],
  },
  'POST /admin/providers/test': {
    ...MODELS,
    summary: 'Try whether a provider would answer, before it is saved',
    description:
      'With `provider_id`, what is left out is that of the saved provider; at another server, secrets are given again. Another address than its own is on the audit log.',
    refusals: [NO_PROVIDER, MOVED, MANAGED],
  },
  'POST /admin/providers/:id/discover': {
    ...MODELS,
    summary: 'Ask a provider for its models',
    description:
      'When the connection fails, the verdict says why and the list is empty. Each model comes with its list price, where the price list knows it.',
    refusals: [NO_PROVIDER],
  },
  'POST /admin/providers/:id/import': {
    ...MODELS,
    summary: 'Take models of a provider into the catalogue',
    description:
      'All of them or none. Models without weights are weighed by their list price; one that is on no price list is made without weights, and thus not enabled.',
    refusals: [NO_PROVIDER, conflict("There is a model 'acme/scale-1' already")],
  },
  'GET /admin/list-prices': {
    ...MODELS,
    summary: 'Work out weights from a list price',
    description:
      'List price and margin, at the value of a credit, each rounded up once to six decimals; the lines show the arithmetic.',
    refusals: [NO_PROVIDER, notFound('The price list does not know this model')],
  },
  'GET /admin/resting-routes': {
    ...MODELS,
    summary: 'List the routes that are passed over now',
    description:
      'Throttled, failing, or refused with one of their credentials, as far as the node that answers knows; nodes tell each other over Redis.',
  },
  'GET /admin/models': { ...MODELS, summary: 'List models, those that are not enabled included' },
  'POST /admin/models': {
    ...MODELS,
    summary: 'Add a model',
    description:
      'Without weights it can not be enabled: what has no price is never free. `routing` says how its routes are tried; what is left out of it keeps its value.',
    refusals: [conflict("There is a model 'acme/scale-1' already"), NO_PROVIDER],
  },
  'POST /admin/weights-preview': {
    ...MODELS,
    summary: 'Reckon what a change of weights would have meant',
    description:
      'Over the tokens of the last 30 days, from sums of usage; and over the newest requests one by one, as they would be charged. Changes nothing.',
    refusals: [NO_MODEL, OUTDATED],
  },
  'GET /admin/models/*': { ...MODELS, summary: 'Read a model', refusals: [NO_MODEL] },
  'PATCH /admin/models/*': {
    ...MODELS,
    summary: 'Change a model',
    description:
      'Weights and routes are replaced whole. With `based_on`, which says them as they were read, the change is refused when somebody else changed them meanwhile.',
    refusals: [NO_MODEL, NO_PROVIDER, MANAGED, OUTDATED, RACED],
  },
  'DELETE /admin/models/*': { ...MODELS, summary: 'Take a model away', refusals: [NO_MODEL, MANAGED] },
}

const SALES_OPERATIONS: Operations = {
  'GET /admin/packages': { ...SALES, summary: 'List packages' },
  'POST /admin/packages': { ...SALES, summary: 'Add a package of credits' },
  'GET /admin/packages/:id': { ...SALES, summary: 'Read a package', refusals: [NO_PACKAGE] },
  'PATCH /admin/packages/:id': {
    ...SALES,
    summary: 'Change a package',
    refusals: [NO_PACKAGE, MANAGED, RACED],
  },
  'DELETE /admin/packages/:id': {
    ...SALES,
    summary: 'Take a package away',
    refusals: [NO_PACKAGE, MANAGED, conflict('Orders name this package; take it off sale instead')],
  },
  'GET /admin/orders': { ...SALES, summary: 'List orders' },
  'GET /admin/orders/:id': { ...SALES, summary: 'Read an order', refusals: [NO_ORDER] },
  'POST /admin/orders/:id/mark-paid': {
    ...SALES,
    summary: 'Say that an order was paid',
    refusals: [NO_ORDER, conflict('This order was paid already')],
  },
  'POST /admin/orders/:id/refund': {
    ...SALES,
    summary: 'Pay an order back',
    refusals: [NO_ORDER, conflict('Nothing of this order can be paid back')],
  },
  'GET /admin/promo-codes': { ...SALES, summary: 'List promotion codes' },
  'POST /admin/promo-codes': {
    ...SALES,
    summary: 'Add a promotion code',
    refusals: [conflict('There is such a code already')],
  },
  'PATCH /admin/promo-codes/:id': {
    ...SALES,
    summary: 'Change a promotion code',
    refusals: [notFound('No such code'), RACED],
  },
}

const SERVICE_OPERATIONS: Operations = {
  'GET /admin/overview': {
    ...SERVICE,
    summary: 'Read how the service is now, and what it brought in and cost',
    description: 'The cost upstream is reckoned by list prices of today, from the sums of hours.',
    refusals: [invalid('to: must be after from')],
  },
  'GET /admin/usage': { ...SERVICE, summary: 'Read usage of the whole service by hour or day' },
  'GET /admin/requests': { ...SERVICE, summary: 'List single requests of all accounts, newest first' },
  'GET /admin/requests/:id': {
    ...SERVICE,
    summary: 'Read a single request with its receipt',
    refusals: [notFound('No such request')],
  },
  'GET /admin/audit': {
    ...SERVICE,
    summary: 'List what administrators changed, newest first',
    description:
      'Narrowed down, it is the history of one thing: of a model, with every change of its weights.',
  },
  'GET /admin/settings': { ...SERVICE, summary: 'Read the settings' },
  'PATCH /admin/settings': { ...SERVICE, summary: 'Change the settings', refusals: [MANAGED, RACED] },
  'GET /admin/configuration': {
    ...SERVICE,
    summary: 'Export the configuration as a file',
    replyType: 'application/yaml',
  },
  'GET /admin/managed-items': { ...SERVICE, summary: 'List what the configuration file manages' },
}

/** Routes of the admin application. */
export const ADMIN_OPERATIONS: Operations = {
  ...signingInOperations({ path: '/admin', tag: 'Administration: signing in', person: 'an administrator' }),
  ...PEOPLE_OPERATIONS,
  ...MODEL_OPERATIONS,
  ...SALES_OPERATIONS,
  ...SERVICE_OPERATIONS,
}
