import { Link } from '@tanstack/react-router'
import type { Key } from '#web/api/client/keys.ts'
import type { RequestRecord } from '#web/api/client/requests.ts'
import { formatCredits } from '#web/ui/credits.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { formatCount, formatDuration } from '#web/ui/numbers.ts'
import { Sideways } from '#web/ui/sideways.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { RequestState } from '#web/usage/request-state.tsx'

export type RequestTableProps = {
  readonly requests: readonly RequestRecord[]
  /** To name them by. */
  readonly keys: readonly Key[]
}

/** Single requests, each of which leads to its receipt. */
export function RequestTable({ requests, keys }: RequestTableProps) {
  const nameOf = new Map(keys.map(({ id, name }) => [id, name]))
  const columns: readonly Column<RequestRecord>[] = [
    {
      header: 'Time',
      isName: true,
      cell: ({ id, created_at }) => (
        <Link to="/requests/$requestId" params={{ requestId: id }} className={textLinkClasses}>
          <DateTime value={created_at} show="second" />
        </Link>
      ),
    },
    { header: 'Model', className: 'sm:max-w-64 break-words', cell: ({ model }) => model ?? '–' },
    { header: 'Status', cell: ({ status }) => <RequestState status={status} /> },
    {
      header: 'Key',
      className: 'sm:max-w-48 break-words',
      cell: ({ key_id }) => nameOf.get(key_id) ?? key_id,
    },
    { header: 'Tokens', align: 'end', cell: ({ usage }) => formatCount(tokensOf(usage)) },
    { header: 'Credits', align: 'end', cell: ({ credits }) => formatCredits(credits) },
    { header: 'Latency', align: 'end', cell: ({ latency_ms }) => formatDuration(latency_ms) },
  ]
  return (
    <Sideways label="Table of requests">
      <Table caption="Requests, newest first" columns={columns} rows={requests} rowKey={({ id }) => id} />
    </Sideways>
  )
}

function tokensOf({ input, cache_read, cache_write, output }: RequestRecord['usage']): number {
  return input + cache_read + cache_write + output
}
