import type { EndpointName } from '#contract/usage.ts'

/** What people call the routes that serve models. */
export const ENDPOINT_LABELS: Readonly<Record<EndpointName, string>> = {
  chat: 'Chat completions',
  messages: 'Messages',
  responses: 'Responses',
  completions: 'Completions',
  embeddings: 'Embeddings',
  moderations: 'Moderations',
  images: 'Images',
  image_edits: 'Image edits',
  image_variations: 'Image variations',
  speech: 'Speech',
  transcriptions: 'Transcriptions',
  translations: 'Translations',
  rerank: 'Rerank',
}

/** What some routes are charged by beside tokens, and what a weight of it is for. */
export const UNIT_LABELS = [
  { unit: 'image', label: 'Image', per: 'for an image' },
  { unit: 'second', label: 'Second', per: 'for a second of sound' },
  { unit: 'search', label: 'Search', per: 'for a search' },
  { unit: 'character', label: 'Characters', per: 'for a million characters' },
] as const

/** The four kinds of tokens, in the order in which they are always named. */
export const BUCKETS = [
  { bucket: 'input', label: 'Input' },
  { bucket: 'cache_read', label: 'Cache read' },
  { bucket: 'cache_write', label: 'Cache write' },
  { bucket: 'output', label: 'Output' },
] as const

/** A part of one kind that may weigh otherwise. */
export const LONGER_LIFE = { bucket: 'cache_write_1h', label: 'Cache write, kept for an hour' } as const
