import type { JSONObject, SharedV4ProviderMetadata, SharedV4ProviderOptions } from '@ai-sdk/provider'

/**
 * What upstreams want back unchanged in the next turn, beside the text it belongs to: signatures of reasoning, reasoning
 * that is encrypted, signatures of tool calls. Nothing else that a caller sends becomes an option of a provider.
 */
const TOKEN_NAMES = ['signature', 'redactedData', 'thoughtSignature'] as const

/** The tokens among a part's metadata as one opaque text, to be carried by any dialect; null when there are none. */
export function sealTokens(metadata: SharedV4ProviderMetadata | undefined): string | null {
  const tokens = pickTokens(metadata)
  return tokens === null ? null : Buffer.from(JSON.stringify(tokens)).toString('base64url')
}

/** The options that `sealTokens` was given; null for a text that is none of its making. */
export function openTokens(sealed: string): SharedV4ProviderOptions | null {
  try {
    return pickTokens(JSON.parse(Buffer.from(sealed, 'base64url').toString('utf8')))
  } catch {
    return null
  }
}

/**
 * Whether tokens belong to a call of a tool, and not to reasoning: signatures of thoughts are what Google's models want
 * back with their calls.
 */
export function isOfCall(tokens: SharedV4ProviderOptions): boolean {
  return Object.values(tokens).some(values => 'thoughtSignature' in values)
}

function pickTokens(metadata: unknown): SharedV4ProviderOptions | null {
  if (typeof metadata !== 'object' || metadata === null) return null
  const picked: Record<string, JSONObject> = {}
  for (const [provider, values] of Object.entries(metadata)) {
    const tokens = TOKEN_NAMES.flatMap(name => {
      const value: unknown = typeof values === 'object' ? values?.[name] : undefined
      return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
    })
    if (tokens.length > 0) picked[provider] = Object.fromEntries(tokens)
  }
  return Object.keys(picked).length === 0 ? null : picked
}
