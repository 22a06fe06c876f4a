import { z } from 'zod'
import { credits, moment, page, pageQuery, timestamp } from './primitives.ts'

export const entryKind = z.enum(['charge', 'purchase', 'grant', 'adjustment', 'refund'])
export type EntryKind = z.infer<typeof entryKind>

export const ledgerEntry = z.object({
  id: z.string(),
  object: z.literal('ledger_entry'),
  kind: entryKind,
  amount: credits.describe('signed: a charge is negative'),
  balance_after: credits,
  request_id: z.string().nullable(),
  order_id: z.string().nullable(),
  note: z.string(),
  created_at: timestamp,
})

export const ledgerPage = page(ledgerEntry)

/** What narrows a ledger down. */
export const ledgerFilter = z.object({
  kind: z
    .string()
    .max(100)
    .transform(kinds => kinds.split(','))
    .pipe(z.array(entryKind))
    .optional()
    .describe('one kind or more, separated by commas'),
  from: moment.optional(),
  to: moment.optional().describe('itself not part of the span'),
})

export const ledgerQuery = pageQuery.extend(ledgerFilter.shape)

/** Granted credits that end: what is left of each grant, that which ends soonest first. */
export const expiringCreditsList = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('expiring_credits'),
      credits: credits.describe('what is left of the grant'),
      expires_at: timestamp,
    }),
  ),
  next_cursor: z.null(),
})

/** What an operator does to a balance. A grant is above 0; an adjustment or a refund may have either sign. */
export const creditChange = z.object({
  amount: z.number(),
  kind: z.enum(['grant', 'adjustment', 'refund']),
  note: z.string().trim().max(1000).default(''),
  expires_at: timestamp
    .optional()
    .describe('of a grant: what is unused by then is taken off again; such credits are used first'),
})
