import type { ServiceError } from '#contract/errors.ts'
import type { UsageQueryInput } from '#contract/usage-report.ts'
import type { Clock } from '#lib/clock.ts'
import { accepted, type Outcome } from '#lib/outcome.ts'
import type { Storage } from '#storage/storage.ts'
import { usageLines } from './usage-lines.ts'
import { readUsage, type UsageAnswer, type UsageQuestion } from './usage-report.ts'
import { readUsageSpan } from './usage-span.ts'

/** What was used, over one account or over all. */
export type Usage = {
  /** The report that a query asks for. 400 a span that is none, or longer than what is answered at a time. */
  report(query: UsageQueryInput): Promise<Outcome<UsageAnswer, ServiceError>>
  /** The same as the lines of a CSV file, in which every group has lines of its own. */
  lines(query: UsageQueryInput): Outcome<AsyncIterable<string>, ServiceError>
}

export type UsageParts = { readonly storage: Pick<Storage, 'reports'>; readonly clock: Clock }

export function createUsage({ storage, clock }: UsageParts): Usage {
  function toQuestion(query: UsageQueryInput): Outcome<UsageQuestion, ServiceError> {
    const span = readUsageSpan(query, clock.now())
    if (!span.ok) return span
    const { account_id: accountId, key_id: keyId, model, provider, endpoint, group_by, top } = query
    const filter = { accountId, keyId, model, provider, endpoint }
    return accepted({ span: span.value, filter, groupBy: group_by ?? null, top })
  }

  return {
    report: async query => {
      const question = toQuestion(query)
      return question.ok ? accepted(await readUsage(storage, question.value)) : question
    },
    lines: query => {
      const question = toQuestion(query)
      return question.ok ? accepted(usageLines(storage, question.value)) : question
    },
  }
}
