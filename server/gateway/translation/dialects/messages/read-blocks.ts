import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from '@ai-sdk/provider'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { readFileReference } from '#gateway/translation/file-reference.ts'
import { atField } from '#gateway/translation/neutral-call.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { cacheOptions } from './cache-marks.ts'
import type { ResultBlock } from './messages-body.ts'
import type { Reading } from './read-messages.ts'

export type NeutralPart = LanguageModelV4TextPart | LanguageModelV4FilePart

type FileReference = Pick<LanguageModelV4FilePart, 'mediaType' | 'data'>
type Source = Extract<ResultBlock, { type: 'document' }>['source']

/** Reads a block of a user or of a tool's result: a text or a file. */
export function readBlock(
  block: ResultBlock,
  field: string,
  reading: Reading,
): Outcome<NeutralPart, ServiceError> {
  if (block.type === 'text') return accepted({ type: 'text', text: block.text, ...cacheOptions(block) })
  const place = `${field}.source`
  const reference = readSource(block.source, block.type === 'image' ? 'image' : 'application')
  if (!reference.ok) return refused(refusals.invalid(`${place}: ${reference.refusal}`))
  const file: LanguageModelV4FilePart = {
    type: 'file',
    ...reference.value,
    ...cacheOptions(block, atField(place)),
  }
  if (block.type === 'image') return accepted(file)
  if (block.context != null) reading.unused.push(`${field}.context`)
  return accepted(block.title == null ? file : { ...file, filename: block.title })
}

function readSource(source: Source, kind: string): Outcome<FileReference, string> {
  switch (source.type) {
    case 'base64':
      return accepted({ mediaType: source.media_type, data: { type: 'data', data: source.data } })
    case 'text':
      return accepted({ mediaType: 'text/plain', data: { type: 'text', text: source.data } })
    case 'url':
      return readFileReference(source.url, kind)
  }
}
