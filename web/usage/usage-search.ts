import { z } from 'zod'

const text = z.string().optional().catch(undefined)
const date = z.iso.date().optional().catch(undefined)

/** What can be looked at of usage. */
export const MEASURES = ['credits', 'requests', 'tokens', 'errors', 'latency', 'first_token'] as const
export type Measure = (typeof MEASURES)[number]

export const RANGES = ['24h', '7d', '30d', '90d', 'custom'] as const

/**
 * What of the usage is looked at; it stands in the address, so that a view can be kept and shared. Routers load this with
 * the first page, so it brings nothing else along.
 */
export const usageSearch = z.object({
  range: z.enum(RANGES).optional().catch(undefined),
  /** The first and the last day of a range of one's own. */
  from: date,
  to: date,
  bucket: z.enum(['hour', 'day']).optional().catch(undefined),
  by: z.enum(['model', 'key', 'nothing']).optional().catch(undefined),
  model: text,
  key: text,
  show: z.enum(MEASURES).optional().catch(undefined),
})

export type UsageSearch = z.output<typeof usageSearch>
