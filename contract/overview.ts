import { z } from 'zod'
import { serviceNode } from './nodes.ts'
import { credits, moment, timestamp } from './primitives.ts'
import { illProvider } from './provider-health.ts'
import { restingRoute } from './resting-routes.ts'

const storeState = z.enum(['ok', 'down'])

export const overviewQuery = z.object({
  from: moment.optional().describe('24 hours before `to`, unless given'),
  to: moment.optional().describe('now, unless given'),
})

/** How the service is now, and what a span of time brought in and cost. Traffic itself is in reports of usage. */
export const overview = z.object({
  object: z.literal('overview'),
  from: timestamp.describe('as asked, moved back to where its hour begins'),
  to: timestamp.describe('as asked, moved on to where its hour ends; itself not part of the span'),
  in_flight: z
    .number()
    .int()
    .describe('requests that all nodes are busy with; of others, up to five seconds ago'),
  stores: z.object({
    database: storeState,
    redis: storeState.nullable().describe('null where the service does without'),
  }),
  resting_routes: z
    .array(restingRoute.extend({ provider: z.string().describe('the name') }))
    .describe('ways to models that are passed over now'),
  nodes: z
    .array(serviceNode)
    .describe('those that serve first; stopped ones stay for an hour, vanished ones for a day'),
  ill_providers: z
    .array(illProvider)
    .describe('at which a good part of the attempts of the last minutes came to nothing, the worst first'),
  models_without_route: z.array(z.string()).describe('enabled, with no route to an enabled provider'),
  exhausted_accounts: z.number().int().describe('active ones that have used up what they had'),
  waiting_orders: z.number().int().describe('orders that wait for their payment'),
  sold: z
    .object({
      orders: z.number().int(),
      credits,
      money: z.array(z.object({ currency: z.string(), amount: z.number().int() })),
    })
    .describe('orders paid within the span; amounts in minor units of their currencies'),
  earned: z
    .object({ credits, usd: z.string() })
    .describe('what requests were charged, also at the value of a credit that the settings name'),
  upstream_cost: z
    .object({
      usd: z.string().describe('an exact decimal'),
      priced_requests: z.number().int(),
      unpriced_requests: z.number().int().describe('of models that the price list does not know'),
    })
    .describe('what the same requests cost at list prices'),
})

export type Overview = z.infer<typeof overview>
