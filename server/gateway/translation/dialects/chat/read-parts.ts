import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from '@ai-sdk/provider'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { readFileReference } from '#gateway/translation/file-reference.ts'
import { atField } from '#gateway/translation/neutral-call.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { cacheOptions } from './cache-marks.ts'
import type { ChatUserPart } from './chat-body.ts'
import type { Reading } from './read-messages.ts'

type NeutralPart = LanguageModelV4TextPart | LanguageModelV4FilePart

const AUDIO_TYPES = { wav: 'audio/wav', mp3: 'audio/mpeg' } as const

/** Reads the parts of a content: texts and files. */
export function readParts(
  parts: readonly ChatUserPart[],
  field: string,
  reading: Reading,
): Outcome<NeutralPart[], ServiceError> {
  const read: NeutralPart[] = []
  for (const [index, part] of parts.entries()) {
    const outcome = readPart(part, `${field}.${index}`, reading)
    if (!outcome.ok) return outcome
    read.push(outcome.value)
  }
  return accepted(read)
}

function readPart(part: ChatUserPart, field: string, reading: Reading): Outcome<NeutralPart, ServiceError> {
  switch (part.type) {
    case 'text':
      return accepted({ type: 'text', text: part.text, ...cacheOptions(part) })
    case 'image_url': {
      const { url, detail } = part.image_url
      if (detail != null && detail !== 'auto') reading.unused.push(`${field}.image_url.detail`)
      const reference = readFileReference(url, 'image')
      const place = `${field}.image_url.url`
      if (!reference.ok) return refused(refusals.invalid(`${place}: ${reference.refusal}`))
      return accepted({ type: 'file', ...reference.value, ...cacheOptions(part, atField(place)) })
    }
    case 'input_audio': {
      const { data, format } = part.input_audio
      return accepted({
        type: 'file',
        mediaType: AUDIO_TYPES[format],
        data: { type: 'data', data },
        ...cacheOptions(part, atField(`${field}.input_audio`)),
      })
    }
    case 'file': {
      const { file_data: data, filename } = part.file
      const place = `${field}.file.file_data`
      const reference = readFileReference(data, 'application')
      if (!reference.ok) return refused(refusals.invalid(`${place}: ${reference.refusal}`))
      return accepted({
        type: 'file',
        ...reference.value,
        ...(filename == null ? {} : { filename }),
        ...cacheOptions(part, atField(place)),
      })
    }
  }
}
