import type { z } from 'zod'
import type { ServiceError } from '#contract/errors.ts'

/** The parts of the reference, in their order. */
export const TAGS = {
  Generation: 'What models are asked for. Takes a `gw_` key as a bearer token.',
  Account: 'What the account behind a key has used and has left.',
  Catalogue: 'What there is to ask for. Public, cacheable, and limited by address.',
  Health: 'How the service is doing. Always answers.',
  'Portal: signing in':
    'The doors of the portal, and how a user looks after them. By the cookie `goldweight_client`.',
  'Portal: keys': "A user's own keys.",
  'Portal: usage': 'What was asked, what it weighed, and what is left.',
  'Portal: credits': 'Buying credits.',
  'Administration: signing in': 'The doors of the admin application. By the cookie `goldweight_admin`.',
  'Administration: people': 'Accounts, users, administrators and keys.',
  'Administration: models': 'Providers, and the models that they serve.',
  'Administration: sales': 'Packages, orders and promotion codes.',
  'Administration: service': 'Usage, the audit log and settings.',
  Webhooks: 'What payment providers call.',
} as const

export type Tag = keyof typeof TAGS

/** Who may call: it decides how they show who they are, and how they can be refused. */
export type Access = 'key' | 'user' | 'administrator' | 'anyone'

/** A refusal, with the case in which it is given. */
export type Refusal = { readonly when: string; readonly error: ServiceError }

/** What the document says of a route beyond its schemas. */
export type Operation = {
  readonly tag: Tag
  /** What the route does, as a command: 'List your keys'. */
  readonly summary: string
  readonly description?: string
  /** Whether the route is there only where it is configured. */
  readonly isOptional?: boolean
  /** Unless the path tells: `/client` is for users, `/admin` for administrators. */
  readonly access?: Access
  /** Whether a request may bring an `Idempotency-Key`. */
  readonly takesIdempotencyKey?: boolean
  /** Refusals of this route's own, beside those that every route of its kind gives. */
  readonly refusals?: readonly Refusal[]
  /** For routes whose requests and replies the framework does not check. */
  readonly body?: z.ZodType
  readonly reply?: z.ZodType
  /** What a body or a reply is that is no JSON: `multipart/form-data`, `text/csv`. */
  readonly bodyType?: string
  readonly replyType?: string
  /** Examples for what passes through: its schema is its vendor's. */
  readonly bodyExample?: unknown
  readonly replyExample?: unknown
}

/** Operations by method and path as they are registered: `GET /client/keys/:id`. */
export type Operations = Readonly<Record<string, Operation>>
