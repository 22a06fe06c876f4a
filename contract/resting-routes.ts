import { z } from 'zod'
import { page, timestamp } from './primitives.ts'

/** A way to a model that is passed over now: a route, with one of its provider's credentials. */
export const restingRoute = z.object({
  object: z.literal('resting_route'),
  model: z.string(),
  route_id: z.string(),
  provider_id: z.string(),
  upstream_model: z.string(),
  credential: z.string().nullable().describe('the name of a further credential; null for the first'),
  reason: z
    .enum(['throttled', 'refused', 'failing'])
    .describe('throttled by its upstream; its credential refused; failing again and again'),
  until: timestamp,
})

export type RestingRoute = z.infer<typeof restingRoute>

export const restingRouteList = page(restingRoute)
