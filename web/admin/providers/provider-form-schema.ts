import { z } from 'zod'
import { providerKind } from '#contract/catalog.ts'
import { displayName } from '#contract/primitives.ts'
import type { Provider } from '#web/api/admin/providers.ts'

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
    headers[name] = value
  }
  return headers
})

const seconds = z
  .string()
  .transform(text => Number(text.replace(',', '.')) * 1000)
  .pipe(
    z.number('Give a number of seconds.').int().min(1, 'Give a number of seconds above 0.').max(3_600_000),
  )

/** A provider as it is written into the form. */
export const providerForm = z.object({
  name: displayName,
  kind: providerKind,
  base_url: optionalText,
  credential: optionalText,
  headers: headerLines,
  connect: seconds,
  first_byte: seconds,
  idle: seconds,
})

export type ProviderValues = z.output<typeof providerForm>

/** The form's values as the routes take them. */
export function toProviderBody({ connect, first_byte, idle, ...fields }: ProviderValues) {
  return { ...fields, timeouts: { connect_ms: connect, first_byte_ms: first_byte, idle_ms: idle } }
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
