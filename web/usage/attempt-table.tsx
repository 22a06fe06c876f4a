import type { AttemptOutcome, RequestAttempt } from '#contract/usage.ts'
import { formatDuration } from '#web/ui/numbers.ts'
import { type Column, Table } from '#web/ui/table.tsx'

const OUTCOMES: Readonly<Record<AttemptOutcome, string>> = {
  answered: 'Answered',
  broke_off: 'Broke off',
  throttled: 'Took no more requests',
  timed_out: 'Too slow',
  failed: 'Failed',
  refused: 'Refused the request',
  not_carried_over: 'Not asked: the request can not be put in its words',
  client_left: 'Client left',
}

type Attempt = RequestAttempt & { readonly number: number }

const COLUMNS: readonly Column<Attempt>[] = [
  {
    header: 'Attempt',
    isName: true,
    cell: ({ number, provider }) => `${number}. ${provider}`,
  },
  { header: 'Model there', className: 'break-all', cell: attempt => attempt.upstream_model },
  { header: 'Outcome', cell: ({ outcome }) => OUTCOMES[outcome] },
  { header: 'Status', align: 'end', cell: attempt => attempt.http_status ?? '–' },
  { header: 'Time', align: 'end', cell: attempt => formatDuration(attempt.duration_ms) },
]

/** The upstreams that were asked, one after the other. */
export function AttemptTable({ attempts }: { readonly attempts: readonly RequestAttempt[] }) {
  return (
    <Table
      caption="Upstreams that were asked"
      columns={COLUMNS}
      rows={attempts.map((attempt, index) => ({ ...attempt, number: index + 1 }))}
      rowKey={({ number }) => String(number)}
    />
  )
}
