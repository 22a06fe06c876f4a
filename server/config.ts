/** The only reader of the environment. Everything is checked once, at the start, and frozen. */
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { ENVIRONMENT_KEY_NAMES } from '#domains/catalog/environment-providers.ts'
import type { ReadVariable } from '#domains/configuration/variables.ts'
import type { OidcOptions } from '#domains/identity/oidc-client.ts'
import type { StripeAccess } from '#domains/orders/stripe/stripe-client.ts'
import { parseRedisUrl, type RedisAddress } from '#redis/address.ts'

/** A value that the service can't start with: one line that says which and why. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
/** Names for address ranges that the framework understands beside addresses and networks. */
const NAMED_RANGES = new Set(['loopback', 'linklocal', 'uniquelocal'])

function isAddressOrNetwork(text: string): boolean {
  return NAMED_RANGES.has(text) || ipaddr.isValid(text) || ipaddr.isValidCIDR(text)
}

const trustProxy = z
  .string()
  .transform(text =>
    text
      .split(',')
      .map(part => part.trim())
      .filter(part => part !== ''),
  )
  .refine(
    parts => parts.every(isAddressOrNetwork),
    'must be a list of addresses or networks, such as 10.0.0.0/8',
  )
  .transform(parts => (parts.length === 0 ? (false as const) : parts))

const publicUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform(text => text.replace(/\/+$/, ''))

/** A value that is all spaces is none: a secret that everybody can guess protects nothing. */
const secretText = z.string().refine(text => text.trim() !== '', 'must not be blank')

const smtpUrl = z.string().refine(text => {
  const url = URL.parse(text)
  return url !== null && ['smtp:', 'smtps:'].includes(url.protocol) && url.hostname !== ''
}, 'must be an smtp or smtps URL')

/** Whoever listens between us and a provider could sign in as anybody: http is for providers on this machine alone. */
const issuerUrl = z.string().refine(text => {
  const url = URL.parse(text)
  if (url === null) return false
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isHere)
}, 'must be an https URL')

/** `gold@example.org` or `Gold <gold@example.org>`. */
const MAIL_SENDER = /^(?:[^<>\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u

const environment = z.object({
  HOST: z.string().min(1).default('0.0.0.0'),
  PORT: z
    .string()
    .regex(/^\d+$/, 'must be a port number')
    .transform(Number)
    .refine(port => port <= 65_535, 'must be a port number')
    .default(8080),
  DATABASE_URL: z
    .url({
      protocol: /^postgres(ql)?$/,
      error: 'must be a postgres:// URL, or unset for the embedded database',
    })
    .optional(),
  REDIS_URL: z
    .string()
    .transform(parseRedisUrl)
    .refine(address => address !== null, 'must be a redis:// or rediss:// URL')
    .optional(),
  GOLDWEIGHT_DATA_DIR: z.string().min(1).default('./data'),
  GOLDWEIGHT_PUBLIC_URL: publicUrl.optional(),
  GOLDWEIGHT_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  GOLDWEIGHT_TRUST_PROXY: trustProxy.default(false),
  GOLDWEIGHT_ADMIN_EMAIL: z.email('must be an e-mail address').optional(),
  GOLDWEIGHT_ADMIN_PASSWORD: z.string().min(10, 'must have at least 10 characters').max(1024).optional(),
  STRIPE_SECRET_KEY: secretText.optional(),
  STRIPE_WEBHOOK_SECRET: secretText.optional(),
  STRIPE_API_URL: publicUrl.optional(),
  SMTP_URL: smtpUrl.optional(),
  GOLDWEIGHT_MAIL_FROM: z.string().regex(MAIL_SENDER, 'must be an e-mail address').optional(),
  GOLDWEIGHT_CONFIG_FILE: z.string().min(1).optional(),
  GOLDWEIGHT_OIDC_ISSUER: issuerUrl.optional(),
  GOLDWEIGHT_OIDC_CLIENT_ID: z.string().optional(),
  GOLDWEIGHT_OIDC_CLIENT_SECRET: secretText.optional(),
  GOLDWEIGHT_OIDC_NAME: z.string().max(60, 'must have at most 60 characters').optional(),
  GOLDWEIGHT_DEMO: z.enum(['on', 'off'], { error: "must be 'on' or 'off'" }).default('on'),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
})

export type Config = {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** null: limits within this process. */
  readonly redis: RedisAddress | null
  /** Without a slash at the end; null when it is not known. */
  readonly publicUrl: string | null
  /** Of a Postgres database, with its password; null: the embedded database in the data folder. */
  readonly databaseUrl: string | null
  /** null: one is made and kept in the data folder. */
  readonly secret: string | null
  readonly trustProxy: string[] | false
  readonly admin: { readonly email?: string; readonly password?: string }
  /** null: the service sends no mail. */
  readonly mail: { readonly url: string; readonly from: string; readonly publicUrl: string } | null
  /** null: nobody signs in through another service. */
  readonly oidc: (OidcOptions & { readonly publicUrl: string }) | null
  readonly demo: boolean
  /** The file that manages providers, models and the like, and the variables that it may name; null for none. */
  readonly configFile: { readonly path: string; readonly readVariable: ReadVariable } | null
  /** null: nothing is sold through Stripe. */
  readonly stripe: StripeAccess | null
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** Keys of well-known providers, by the name of their variable. */
  readonly providerKeys: Readonly<Record<string, string>>
}

/** Reads the configuration. Throws a ConfigurationError that names the first wrong value, never showing it. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  // An empty value is how many tools say 'not set'.
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new ConfigurationError(
      `${issue?.path.join('.') ?? 'environment'} ${issue?.message ?? 'is not valid'}`,
    )
  }
  const values = parsed.data
  if (values.DATABASE_URL !== undefined && values.GOLDWEIGHT_SECRET === undefined) {
    throw new ConfigurationError('GOLDWEIGHT_SECRET is required with DATABASE_URL, the same on every node')
  }
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    dataDir: values.GOLDWEIGHT_DATA_DIR,
    redis: values.REDIS_URL ?? null,
    publicUrl: values.GOLDWEIGHT_PUBLIC_URL ?? null,
    databaseUrl: values.DATABASE_URL ?? null,
    secret: values.GOLDWEIGHT_SECRET ?? null,
    trustProxy: values.GOLDWEIGHT_TRUST_PROXY,
    admin: {
      ...(values.GOLDWEIGHT_ADMIN_EMAIL === undefined ? {} : { email: values.GOLDWEIGHT_ADMIN_EMAIL }),
      ...(values.GOLDWEIGHT_ADMIN_PASSWORD === undefined
        ? {}
        : { password: values.GOLDWEIGHT_ADMIN_PASSWORD }),
    },
    mail: readMail(values),
    oidc: readOidc(values),
    demo: values.GOLDWEIGHT_DEMO === 'on',
    configFile:
      values.GOLDWEIGHT_CONFIG_FILE === undefined
        ? null
        : { path: values.GOLDWEIGHT_CONFIG_FILE, readVariable: name => given[name] },
    stripe: readStripe(values),
    logLevel: values.LOG_LEVEL,
    providerKeys: Object.fromEntries(
      ENVIRONMENT_KEY_NAMES.flatMap(name => (given[name] === undefined ? [] : [[name, given[name]]])),
    ),
  })
}

/** Both secrets or none: without the one for webhooks nothing that is paid could be believed. */
function readStripe(values: z.infer<typeof environment>): StripeAccess | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = values
  if (secretKey === undefined && webhookSecret === undefined) return null
  if (secretKey === undefined || webhookSecret === undefined) {
    const missing = secretKey === undefined ? 'STRIPE_SECRET_KEY' : 'STRIPE_WEBHOOK_SECRET'
    throw new ConfigurationError(`${missing} is required to sell through Stripe`)
  }
  return { secretKey, webhookSecret, apiUrl: values.STRIPE_API_URL ?? null }
}

/** Links in mails lead to where the service says it is, never to whatever host a request names. */
function readMail(values: z.infer<typeof environment>): Config['mail'] {
  const { SMTP_URL: url, GOLDWEIGHT_MAIL_FROM: from, GOLDWEIGHT_PUBLIC_URL: publicUrl } = values
  if (url === undefined) return null
  if (from === undefined || publicUrl === undefined) {
    const missing = from === undefined ? 'GOLDWEIGHT_MAIL_FROM' : 'GOLDWEIGHT_PUBLIC_URL'
    throw new ConfigurationError(`${missing} is required to send mail`)
  }
  return { url, from, publicUrl }
}

function readOidc(values: z.infer<typeof environment>): Config['oidc'] {
  const { GOLDWEIGHT_OIDC_ISSUER: issuer, GOLDWEIGHT_OIDC_CLIENT_ID: clientId } = values
  const publicUrl = values.GOLDWEIGHT_PUBLIC_URL
  if (issuer === undefined) return null
  if (clientId === undefined || publicUrl === undefined) {
    const missing = clientId === undefined ? 'GOLDWEIGHT_OIDC_CLIENT_ID' : 'GOLDWEIGHT_PUBLIC_URL'
    throw new ConfigurationError(`${missing} is required to sign in through OpenID Connect`)
  }
  return {
    issuer,
    clientId,
    clientSecret: values.GOLDWEIGHT_OIDC_CLIENT_SECRET ?? null,
    name: values.GOLDWEIGHT_OIDC_NAME ?? new URL(issuer).hostname,
    publicUrl,
  }
}
