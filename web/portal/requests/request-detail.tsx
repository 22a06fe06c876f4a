import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RequestDetail as Detail } from '#contract/usage.ts'
import { allKeysQuery } from '#web/api/client/keys.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { formatCredits } from '#web/ui/credits.ts'
import { formatCount } from '#web/ui/numbers.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { AttemptTable } from '#web/usage/attempt-table.tsx'
import { Receipt } from '#web/usage/receipt.tsx'
import { RequestState } from '#web/usage/request-state.tsx'
import { RequestFacts } from './request-facts.tsx'

const UNCHARGED = {
  succeeded: 'Nothing was charged.',
  failed: 'Nothing was charged: a request that fails costs nothing.',
  cancelled: 'Nothing was charged: the client left before any content reached it.',
} as const

/** All that is known of a request, and how its charge came about. */
export function RequestDetail({ request }: { readonly request: Detail }) {
  const keys = useQuery(allKeysQuery).data?.data ?? []
  const { id, status, receipt, attempts, weights } = request
  return (
    <>
      <PageHeader title="Request" />
      <div className="-mt-5 mb-8 flex flex-wrap items-center gap-3">
        <code className="font-mono text-sm break-all">{id}</code>
        <CopyButton text={id} label="Copy id" look="quiet" />
        <RequestState status={status} />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <Panel title="Receipt">
          {receipt === null ? (
            <p className="text-sm">{UNCHARGED[status]}</p>
          ) : (
            <Receipt receipt={receipt}>
              {weights?.above_input_tokens !== undefined && (
                <p>
                  The weights are those of requests with more than {formatCount(weights.above_input_tokens)}{' '}
                  input tokens.
                </p>
              )}
              <p>
                It left a balance of {formatCredits(receipt.ledger_entry.balance_after)} on the{' '}
                <Link to="/credits" className={textLinkClasses}>
                  ledger
                </Link>
                , as entry <code className="font-mono text-xs break-all">{receipt.ledger_entry.id}</code>.
              </p>
            </Receipt>
          )}
        </Panel>
        <Panel title="What was asked">
          <RequestFacts request={request} apiKey={keys.find(key => key.id === request.key_id)} />
        </Panel>
        {attempts.length > 0 && (
          <Panel title="Attempts" className="lg:col-span-2">
            <AttemptTable attempts={attempts} />
            <p className="mt-4 text-sm text-muted">
              All of them together are one request, charged once at most.
            </p>
          </Panel>
        )}
      </div>
    </>
  )
}
