import type { LanguageModelV4FilePart } from '@ai-sdk/provider'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'

type FileReference = Pick<LanguageModelV4FilePart, 'mediaType' | 'data'>

/** RFC 2397; the data may be a stand-in for much longer ones, and are not looked at. */
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)((?:;[\w.+-]+=[^;,]*)*)(;base64)?,/i

const TYPES_BY_ENDING: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
}

/**
 * Reads where a file's bytes are: in a data URL, or at an address that the upstream may fetch. Nobody here ever fetches
 * one. `kind` is the first half of its media type, which stands alone where nothing tells the other half.
 */
export function readFileReference(url: string, kind: string): Outcome<FileReference, string> {
  const inline = DATA_URL.exec(url)
  if (inline) {
    const [prefix, mediaType = kind, , base64] = inline
    if (!base64) return refused('the data of a data URL must be base64')
    return accepted({ mediaType, data: { type: 'data', data: url.slice(prefix.length) } })
  }
  if (!URL.canParse(url)) return refused('must be a data URL with a media type, or an http address')
  const parsed = new URL(url)
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') {
    return refused('must be a data URL with a media type, or an http address')
  }
  const ending = /\.([a-z0-9]+)$/i.exec(parsed.pathname)?.[1]?.toLowerCase() ?? ''
  return accepted({ mediaType: TYPES_BY_ENDING[ending] ?? kind, data: { type: 'url', url: parsed } })
}
