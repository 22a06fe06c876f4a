import type {
  LanguageModelV4Citation,
  LanguageModelV4File,
  LanguageModelV4Source,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import { sealTokens } from '#gateway/translation/provider-tokens.ts'

/** What of an answer OpenAI's own API has no member for, by the names that compatible servers gave it. */

/**
 * Reasoning that the upstream wants back in the next turn, as OpenRouter shapes it; the signature is opaque to callers.
 * null where the upstream wants nothing back.
 */
export function reasoningDetail(
  text: string,
  metadata: SharedV4ProviderMetadata | undefined,
  index: number,
): object | null {
  const sealed = sealTokens(metadata)
  if (sealed === null) return null
  return text === ''
    ? { type: 'reasoning.encrypted', data: sealed, index }
    : { type: 'reasoning.text', text, signature: sealed, index }
}

/** The signature of a tool call, where Google's compatible endpoint puts it; nothing where there is none. */
export function toolCallTokens(metadata: SharedV4ProviderMetadata | undefined): object {
  const sealed = sealTokens(metadata)
  return sealed === null ? {} : { extra_content: { google: { thought_signature: sealed } } }
}

/** A page that an answer refers to; documents have no place among OpenAI's annotations. */
export function urlCitation(source: LanguageModelV4Source, at?: LanguageModelV4Citation): object | null {
  if (source.sourceType !== 'url') return null
  return {
    type: 'url_citation',
    url_citation: {
      url: source.url,
      title: source.title ?? source.url,
      start_index: at?.startIndex ?? 0,
      end_index: at?.endIndex ?? 0,
    },
  }
}

/** A picture among the answers, as OpenRouter shapes it; null for any other file. */
export function answeredImage({ mediaType, data }: LanguageModelV4File): object | null {
  if (!mediaType.startsWith('image/')) return null
  const url =
    data.type === 'url'
      ? data.url.href
      : `data:${mediaType};base64,${typeof data.data === 'string' ? data.data : Buffer.from(data.data).toString('base64')}`
  return { type: 'image_url', image_url: { url } }
}
