import { z } from 'zod'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'

/** A key as it can stand in a header. */
const KEY = /^[\x21-\x7e][\x20-\x7e]*$/
const MAX_CHARS = 20_000

const text = z.string().min(1)

/** A key of an AWS identity that may call Bedrock. */
const awsCredential = z.strictObject({
  access_key_id: text,
  secret_access_key: text,
  session_token: text.optional(),
  region: z.string().regex(/^[a-z0-9-]+$/, 'must be the name of a region, such as us-east-1'),
})

/** A service account's key file as Google hands it out; what else stands in the file is kept. */
const googleCredential = z.looseObject({
  type: z.literal('service_account', 'must be service_account'),
  client_email: text,
  private_key: text.refine(key => key.includes('PRIVATE KEY'), 'must be a private key in PEM'),
  token_uri: z.url().optional(),
})

/** An application that is registered with Microsoft Entra, and may call the Azure resource. */
const entraCredential = z.strictObject({
  tenant_id: text,
  client_id: text,
  client_secret: text,
  authority: z.url().optional(),
})

/** Kinds whose credential may be more than a key. */
const STRUCTURES: Readonly<Record<string, z.ZodType>> = {
  bedrock: awsCredential,
  vertex: googleCredential,
  azure: entraCredential,
}

/**
 * A credential as it will be kept: a key without the blanks that come along when it is pasted, or, for kinds that have
 * such, a JSON object. Refused with the problem, which names the field and never repeats a value.
 */
export function readCredential(kind: string, given: string | object): Outcome<string, string> {
  const trimmed = typeof given === 'string' ? given.trim() : given
  const structure = typeof trimmed === 'string' ? parseObject(trimmed) : trimmed
  if (structure !== null) return readStructure(kind, structure)
  if (typeof trimmed !== 'string' || !KEY.test(trimmed)) {
    return refused('credential: must be printable ASCII, and not empty')
  }
  return accepted(trimmed)
}

function parseObject(text: string): object | null {
  if (!text.startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

function readStructure(kind: string, given: object): Outcome<string, string> {
  const schema = STRUCTURES[kind]
  if (!schema) return refused(`credential: a provider of kind ${kind} takes a key alone`)
  const checked = schema.safeParse(given)
  if (checked.success) {
    const kept = JSON.stringify(checked.data)
    return kept.length <= MAX_CHARS ? accepted(kept) : refused('credential: is too long')
  }
  const [issue] = checked.error.issues
  const place = ['credential', ...(issue?.path ?? [])].join('.')
  return refused(`${place}: ${issue?.message ?? 'is not valid'}`)
}

/** What a credential may be known by: itself, or each text in one that is a JSON object. */
export function secretsOf(credential: string | null): string[] {
  if (credential === null) return []
  const texts: string[] = []
  if (credential.startsWith('{')) {
    JSON.parse(credential, (_name, value) => {
      if (typeof value === 'string') texts.push(value)
      return value
    })
  }
  return [credential, ...texts]
}
