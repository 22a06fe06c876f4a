import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from '@ai-sdk/provider'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { readFileReference } from '#gateway/translation/file-reference.ts'
import { atField } from '#gateway/translation/neutral-call.ts'
import { defined } from '#lib/defined.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { InputPart } from './responses-body.ts'

export type NeutralPart = LanguageModelV4TextPart | LanguageModelV4FilePart

type Place = { readonly field: string; readonly unused: string[] }

/** Reads the parts of a user's message or of a tool's output: texts and files. */
export function readParts(
  parts: readonly InputPart[],
  { field, unused }: Place,
): Outcome<NeutralPart[], ServiceError> {
  const read: NeutralPart[] = []
  for (const [index, part] of parts.entries()) {
    const outcome = readPart(part, { field: `${field}.${index}`, unused })
    if (!outcome.ok) return outcome
    read.push(outcome.value)
  }
  return accepted(read)
}

function readPart(part: InputPart, { field, unused }: Place): Outcome<NeutralPart, ServiceError> {
  if (part.type === 'input_text') return accepted({ type: 'text', text: part.text })
  if (part.detail != null && part.detail !== 'auto') unused.push(`${field}.detail`)
  if (part.type === 'input_image')
    return readFile(part.image_url, { field: `${field}.image_url`, kind: 'image' })
  const name = part.file_data == null ? 'file_url' : 'file_data'
  const file = readFile(part[name], { field: `${field}.${name}`, kind: 'application' })
  return file.ok ? accepted({ ...file.value, ...defined('filename', part.filename) }) : file
}

function readFile(
  url: string | null | undefined,
  { field, kind }: { readonly field: string; readonly kind: string },
): Outcome<LanguageModelV4FilePart, ServiceError> {
  if (url == null) return refused(refusals.invalid(`${field}: is required`))
  const reference = readFileReference(url, kind)
  if (!reference.ok) return refused(refusals.invalid(`${field}: ${reference.refusal}`))
  return accepted({ type: 'file', ...reference.value, providerOptions: atField(field) })
}
