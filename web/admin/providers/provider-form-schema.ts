import { z } from 'zod'
import { PROVIDER_KINDS, type ProviderKind } from '#contract/catalog.ts'
import { displayName } from '#contract/primitives.ts'
import { factsOf, isOpenaiCompatible, isOtherServer } from '#contract/provider-kinds.ts'
import { endpointName } from '#contract/usage.ts'
import type { Provider } from '#web/api/admin/providers.ts'
import { typedNumber } from '#web/ui/typed-number.ts'
import { furtherCredentials } from './further-credentials.ts'

/** What is left empty is not said. */
const optionalText = z
  .string()
  .trim()
  .transform(text => (text === '' ? undefined : text))

/** One header a line, its name before a colon. */
const headerLines = z.string().transform((text, context) => {
  const headers: Record<string, string> = {}
  for (const line of text.split('\n').filter(each => each.trim() !== '')) {
    const [, name, value] = /^\s*([A-Za-z0-9-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined || value === undefined) {
      context.addIssue({
        code: 'custom',
        message: `Write each header as “name: value”, not “${line.trim()}”.`,
      })
      return z.NEVER
    }
    if (Object.hasOwn(headers, name)) {
      context.addIssue({ code: 'custom', message: `“${name}” stands twice.` })
      return z.NEVER
    }
    headers[name] = value
  }
  return headers
})

/** Seconds, as milliseconds; at least one of those. */
function seconds(most: number) {
  const problem = `Give a number of seconds above 0, and of ${most.toLocaleString('en')} at most.`
  return z
    .string()
    .transform(text => Math.round(typedNumber(text) * 1000))
    .pipe(
      z
        .number(problem)
        .min(1, problem)
        .max(most * 1000, problem),
    )
}

/** A provider as it is written into the form. */
export const providerForm = z.object({
  name: displayName,
  kind: z.string(),
  base_url: optionalText,
  credential: optionalText,
  remove_credential: z.boolean().default(false),
  further_credentials: furtherCredentials,
  endpoints: z.array(endpointName).min(1, 'Choose at least one.').nullable(),
  headers: headerLines,
  connect: seconds(600),
  first_byte: seconds(3600),
  idle: seconds(3600),
})

export type ProviderValues = z.output<typeof providerForm>

/** The kinds that can be chosen; null for what is built in. */
export function toKind(kind: string): ProviderKind | null {
  return PROVIDER_KINDS.find(name => name === kind) ?? null
}

/** The form's values as the routes take them; an address that is not changed is not sent, one that is emptied is its maker's. */
export function toProviderBody(
  { kind, connect, first_byte, idle, remove_credential, endpoints, base_url, ...fields }: ProviderValues,
  provider: Provider | null,
) {
  const address = base_url ?? (provider === null ? undefined : makersAddress(kind))
  return {
    ...fields,
    ...(address === provider?.base_url ? {} : { base_url: address }),
    ...(remove_credential && fields.credential === undefined ? { credential: null } : {}),
    endpoints: isOpenaiCompatible(kind) ? endpoints : null,
    timeouts: { connect_ms: connect, first_byte_ms: first_byte, idle_ms: idle },
  }
}

/** Whether what is written as the address leads to another server than the provider's: what is stored stays behind then. */
export function isMoving(provider: Provider | null, typed: string): boolean {
  if (provider === null) return false
  return isOtherServer(provider.base_url, typed.trim() || (makersAddress(provider.kind) ?? provider.base_url))
}

function makersAddress(kind: string): string | undefined {
  return factsOf(kind)?.baseUrl ?? undefined
}

/** A provider as it stands in the form before anything is changed; a new one has the defaults of the contract. */
export function toFormDefaults(provider: Provider | null) {
  const timeouts = provider?.timeouts ?? { connect_ms: 10_000, first_byte_ms: 300_000, idle_ms: 120_000 }
  return {
    headers: Object.entries(provider?.headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    connect: String(timeouts.connect_ms / 1000),
    first_byte: String(timeouts.first_byte_ms / 1000),
    idle: String(timeouts.idle_ms / 1000),
  }
}
