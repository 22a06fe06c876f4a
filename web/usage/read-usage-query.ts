import type { z } from 'zod'
import type { clientUsageQuery } from '#contract/usage-report.ts'
import { DRAWN_GROUPS } from './usage-groups.ts'
import type { UsageSearch } from './usage-search.ts'
import { type AskedSpan, offsetHere, readSpan } from './usage-span.ts'

/** What both usage routes can be asked. */
export type UsageQuery = z.input<typeof clientUsageQuery> & { readonly top?: number }

export type AskedUsage =
  | { readonly ok: true; readonly query: UsageQuery; readonly span: AskedSpan }
  | { readonly ok: false; readonly problem: string }

/** What to ask the service for, by what stands in the address. */
export function readUsageQuery(search: UsageSearch, now: Date): AskedUsage {
  const outcome = readSpan(search, { nowMs: now.getTime(), offsetMs: offsetHere(now) })
  if (!outcome.ok) return outcome
  const { by = 'model', model, key } = search
  return {
    ok: true,
    span: outcome.span,
    query: {
      ...outcome.span,
      ...(by === 'nothing' ? {} : { group_by: by }),
      ...(model === undefined ? {} : { model }),
      ...(key === undefined ? {} : { key_id: key }),
      top: DRAWN_GROUPS,
    },
  }
}
