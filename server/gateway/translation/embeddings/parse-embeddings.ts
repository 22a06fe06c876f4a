import { z } from 'zod'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { exactObject, refusalOfBody } from '#gateway/translation/exact-object.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { EmbeddingSettings } from './embedding-engine.ts'

/** `input_type` is no part of OpenAI's API; servers of models that tell questions from documents know it. */
const embeddingsBody = exactObject({
  model: z.string(),
  input: z.unknown(),
  dimensions: z.number().int().min(1).nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  input_type: z.enum(['search_document', 'search_query', 'classification', 'clustering']).nullish(),
  user: z.string().nullish(),
})

export type EmbeddingsCall = {
  readonly texts: readonly string[]
  readonly settings: EmbeddingSettings
  readonly isBase64: boolean
  /** Fields that say nothing to the upstream. */
  readonly unused: readonly string[]
}

/** Reads an OpenAI embeddings request that was checked as far as routing needs it. */
export function parseEmbeddings(given: unknown): Outcome<EmbeddingsCall, ServiceError> {
  const checked = embeddingsBody.safeParse(given)
  if (!checked.success) return refused(refusalOfBody(checked.error))
  const { input, dimensions, encoding_format: format, input_type: inputType, user } = checked.data
  const texts = typeof input === 'string' ? [input] : input
  if (!Array.isArray(texts) || !texts.every(text => typeof text === 'string')) {
    return refused(refusals.notCarriedOver('input', 'the upstream of this model takes texts, and no tokens'))
  }
  return accepted({
    texts,
    settings: { dimensions: dimensions ?? null, inputType: inputType ?? null },
    isBase64: format === 'base64',
    unused: user == null ? [] : ['user'],
  })
}
