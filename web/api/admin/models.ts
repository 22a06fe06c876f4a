import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { adminModel, adminModelPage, type createModel, type patchModel } from '#contract/catalog.ts'
import { type weightQuestion, weightSuggestion } from '#contract/provider-models.ts'
import { type previewWeights, weightsPreview } from '#contract/weights-preview.ts'
import { callOrThrow } from '../call.ts'

export type Model = z.output<typeof adminModel>
export type WeightSuggestion = z.output<typeof weightSuggestion>
export type WeightsPreview = z.output<typeof weightsPreview>

/** The start of every query about models: invalidate it when one changed. */
export const MODELS = ['admin', 'models'] as const

const pathOf = (id: string) => `/admin/models/${encodeURIComponent(id)}`

export const modelsQuery = (query: { readonly cursor?: string; readonly limit?: number } = {}) =>
  queryOptions({
    queryKey: [...MODELS, query],
    queryFn: ({ signal }) => callOrThrow({ path: '/admin/models', query, reply: adminModelPage, signal }),
  })

export const modelQuery = (id: string) =>
  queryOptions({
    queryKey: [...MODELS, id],
    queryFn: ({ signal }) => callOrThrow({ path: pathOf(id), reply: adminModel, signal }),
  })

export function createOneModel(body: z.input<typeof createModel>): Promise<Model> {
  return callOrThrow({ method: 'POST', path: '/admin/models', body, reply: adminModel })
}

export function changeModel(id: string, body: z.input<typeof patchModel>): Promise<Model> {
  return callOrThrow({ method: 'PATCH', path: pathOf(id), body, reply: adminModel })
}

export function deleteModel(id: string): Promise<null> {
  return callOrThrow({ method: 'DELETE', path: pathOf(id), reply: z.null() })
}

/** Weights by a list price. */
export function suggestWeights(query: Partial<z.output<typeof weightQuestion>>): Promise<WeightSuggestion> {
  return callOrThrow({ path: '/admin/list-prices', query, reply: weightSuggestion })
}

/** What a change of weights would have meant. */
export function previewChange(body: z.input<typeof previewWeights>): Promise<WeightsPreview> {
  return callOrThrow({ method: 'POST', path: '/admin/weights-preview', body, reply: weightsPreview })
}
