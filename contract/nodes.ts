import { z } from 'zod'
import { timestamp } from './primitives.ts'

/** A process that serves. Each notes every few seconds how it is. */
export const serviceNode = z.object({
  id: z.string(),
  object: z.literal('node'),
  name: z.string().describe('of the machine or container it runs on'),
  address: z.string().nullable().describe('where it listens; null while it does not yet'),
  version: z.string(),
  state: z
    .enum(['serving', 'draining', 'stopped', 'vanished'])
    .describe('stopped: it ended as it should; vanished: it has said nothing for a while'),
  answers: z.boolean().describe('whether this is the node that answers'),
  started_at: timestamp,
  last_seen_at: timestamp,
  in_flight: z.number().int().describe('requests that it was busy with'),
  redis: z.enum(['ok', 'down']).nullable().describe('as the node sees it; null where it does without'),
  memory_bytes: z.number().int(),
  busy: z.number().describe('the share of the last seconds in which its event loop had work, 0 to 1'),
})

export type ServiceNode = z.infer<typeof serviceNode>
