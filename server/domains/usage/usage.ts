import type { ServiceError } from '#contract/errors.ts'
import type { UsageQueryInput } from '#contract/usage-report.ts'
import type { Clock } from '#lib/clock.ts'
import { accepted, type Outcome } from '#lib/outcome.ts'
import type { Storage } from '#storage/storage.ts'
import { readUsage, type UsageAnswer } from './usage-report.ts'
import { readUsageSpan } from './usage-span.ts'

/** What was used, over one account or over all. */
export type Usage = {
  /** The report that a query asks for. 400 a span that is none, or longer than what is answered at a time. */
  report(query: UsageQueryInput): Promise<Outcome<UsageAnswer, ServiceError>>
}

export type UsageParts = { readonly storage: Pick<Storage, 'reports'>; readonly clock: Clock }

export function createUsage({ storage, clock }: UsageParts): Usage {
  return {
    report: async query => {
      const span = readUsageSpan(query, clock.now())
      if (!span.ok) return span
      const { account_id: accountId, key_id: keyId, model, provider, endpoint } = query
      return accepted(
        await readUsage(storage, {
          span: span.value,
          filter: { accountId, keyId, model, provider, endpoint },
          groupBy: query.group_by ?? null,
          top: query.top,
        }),
      )
    },
  }
}
