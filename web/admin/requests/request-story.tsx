import { Link } from '@tanstack/react-router'
import type { RequestDetail } from '#web/api/admin/requests.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { formatCredits } from '#web/ui/credits.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { formatCount, formatDuration } from '#web/ui/numbers.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { AttemptTable } from '#web/usage/attempt-table.tsx'
import { BUCKETS, ENDPOINT_LABELS } from '#web/usage/model-words.ts'
import { Receipt } from '#web/usage/receipt.tsx'
import { RequestState } from '#web/usage/request-state.tsx'
import { Facts } from '../catalog/facts.tsx'

/** One request from its admission to its charge. What was said in it is kept nowhere. */
export function RequestStory({ request }: { readonly request: RequestDetail }) {
  return (
    <>
      <PageHeader title="Request" />
      <div className="-mt-5 mb-8 flex flex-wrap items-center gap-3">
        <code className="font-mono text-sm break-all">{request.id}</code>
        <CopyButton text={request.id} label="Copy id" look="quiet" />
        <RequestState status={request.status} />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Panel title="1. Admission">
          <Admission request={request} />
        </Panel>
        <Panel title="2. Answer">
          <Answer request={request} />
        </Panel>
        <Panel title="3. Attempts" className="lg:col-span-2">
          <Attempts request={request} />
        </Panel>
        <Panel title="4. Metering">
          <Metering request={request} />
        </Panel>
        <Panel title="5. Charge">
          <Charge request={request} />
        </Panel>
      </div>
    </>
  )
}

type StoryProps = { readonly request: RequestDetail }

function Admission({
  request: { account, key_id, created_at, model, client_request_id, endpoint },
}: StoryProps) {
  return (
    <Facts
      facts={{
        'Taken in': <DateTime value={created_at} show="second" />,
        Account: (
          <Link to="/accounts/$accountId" params={{ accountId: account.id }} className={textLinkClasses}>
            {account.name}
          </Link>
        ),
        Key: (
          <Link to="/requests" search={{ key: key_id }} className={textLinkClasses}>
            {key_id}
          </Link>
        ),
        Route: ENDPOINT_LABELS[endpoint],
        Model:
          model === null ? (
            'None: the body could not be read'
          ) : (
            <Link to="/models/$" params={{ _splat: model }} className={textLinkClasses}>
              {model}
            </Link>
          ),
        "The client's id": client_request_id ?? 'None',
      }}
    />
  )
}

function Answer({
  request: { http_status, error, stream, latency_ms, time_to_first_token_ms, route },
}: StoryProps) {
  return (
    <Facts
      facts={{
        'HTTP status': http_status,
        Error: error === null ? 'None' : [error.type, error.code].filter(Boolean).join(', '),
        Kind: stream ? 'Streamed' : 'In one piece',
        Latency: formatDuration(latency_ms),
        'First token': formatDuration(time_to_first_token_ms),
        Upstream: route === null ? 'None was asked' : `${route.provider}, ${route.upstream_model}`,
      }}
    />
  )
}

function Attempts({ request: { attempts, route } }: StoryProps) {
  if (attempts.length > 0) return <AttemptTable attempts={attempts} />
  return (
    <p className="text-sm text-muted">
      {route === null ? 'No upstream was asked.' : `The first route was the last: ${route.provider}.`}
    </p>
  )
}

function Metering({ request: { usage, unit, usage_source } }: StoryProps) {
  const counts = BUCKETS.map(({ bucket, label }) => [label, `${formatCount(usage[bucket])} tokens`] as const)
  return (
    <Facts
      facts={{
        ...Object.fromEntries(counts),
        ...(usage.cache_write_1h === undefined
          ? {}
          : { 'Of them for an hour': `${formatCount(usage.cache_write_1h)} tokens` }),
        ...(unit === null ? {} : { Units: `${formatCount(unit.count)} × ${unit.name}` }),
        'Counts from': usage_source === null ? 'Nothing was counted' : SOURCES[usage_source],
      }}
    />
  )
}

const SOURCES = {
  upstream: 'The report of the upstream',
  request: 'The request itself',
  estimate: 'An estimate: the upstream reported none',
} as const

function Charge({ request: { receipt, status } }: StoryProps) {
  if (receipt === null) {
    return (
      <p className="text-sm text-muted">
        {status === 'succeeded'
          ? 'Nothing was charged.'
          : 'Nothing was charged: it came to no answer that is paid for.'}
      </p>
    )
  }
  return (
    <Receipt receipt={receipt}>
      <p>
        It left a balance of {formatCredits(receipt.ledger_entry.balance_after)}, by the ledger's entry{' '}
        <code className="font-mono text-xs break-all">{receipt.ledger_entry.id}</code>.
      </p>
    </Receipt>
  )
}
