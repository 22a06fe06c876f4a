import { Link } from '@tanstack/react-router'
import type { RequestRecord } from '#web/api/admin/requests.ts'
import { formatCredits } from '#web/ui/credits.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { formatDuration } from '#web/ui/numbers.ts'
import { type Column, Table } from '#web/ui/table.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { RequestState } from '#web/usage/request-state.tsx'

const COLUMNS: readonly Column<RequestRecord>[] = [
  {
    header: 'Time',
    isName: true,
    cell: ({ id, created_at }) => (
      <Link to="/requests/$requestId" params={{ requestId: id }} className={textLinkClasses}>
        <DateTime value={created_at} show="second" />
      </Link>
    ),
  },
  { header: 'Model', className: 'sm:max-w-52 break-words', cell: ({ model }) => model ?? '–' },
  {
    header: 'Status',
    cell: ({ status, http_status }) => (
      <span className="inline-flex items-center gap-2">
        <RequestState status={status} />
        <span className="figures text-muted">{http_status}</span>
      </span>
    ),
  },
  {
    header: 'Account',
    className: 'sm:max-w-40 wrap-anywhere',
    cell: ({ account }) => (
      <Link to="/accounts/$accountId" params={{ accountId: account.id }} className={textLinkClasses}>
        {account.name}
      </Link>
    ),
  },
  { header: 'Provider', className: 'sm:max-w-40 break-words', cell: ({ route }) => route?.provider ?? '–' },
  { header: 'Credits', align: 'end', cell: ({ credits }) => formatCredits(credits) },
  { header: 'Latency', align: 'end', cell: ({ latency_ms }) => formatDuration(latency_ms) },
]

/** Single requests, each of which leads to its story. */
export function RequestTable({ requests }: { readonly requests: readonly RequestRecord[] }) {
  return <Table caption="Requests, newest first" columns={COLUMNS} rows={requests} rowKey={({ id }) => id} />
}
