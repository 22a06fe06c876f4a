import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type LiveUse, liveUseQuery } from '#web/api/client/keys.ts'
import { KeyName } from '#web/keys/key-name.tsx'
import { buttonClasses } from '#web/ui/button.tsx'
import { LimitMeter } from '#web/ui/limit-meter.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { type Column, Table } from '#web/ui/table.tsx'

/** The busiest are shown; the page of keys has them all. */
const SHOWN_KEYS = 5

const COLUMNS: readonly Column<LiveUse>[] = [
  { header: 'Key', isName: true, className: 'sm:max-w-56', cell: use => <KeyName apiKey={use} /> },
  {
    header: 'In flight',
    cell: ({ in_flight, limits }) => <LimitMeter used={in_flight} limit={limits.concurrency} />,
  },
  {
    header: 'Requests',
    cell: ({ requests, limits }) => (
      <LimitMeter used={requests} limit={limits.requests} note={`in ${limits.window_seconds} s`} />
    ),
  },
]

/** What runs now on each key, against its limits. */
export function RunningNow() {
  const live = useQuery(liveUseQuery)
  return (
    <Panel
      title="Running now"
      action={
        <Link to="/keys" className={buttonClasses({ size: 'small' })}>
          All keys
        </Link>
      }
    >
      {live.isPending && <SkeletonRows rows={2} label="Loading what runs now" />}
      <QueryFailure title="What runs now could not be loaded" query={live} />
      {live.data?.data.length === 0 && <p className="text-sm text-muted">No key of yours works now.</p>}
      {live.data && live.data.data.length > 0 && (
        <Table
          caption="What runs on your keys"
          columns={COLUMNS}
          rows={busiest(live.data.data)}
          rowKey={({ key_id }) => key_id}
        />
      )}
    </Panel>
  )
}

function busiest(uses: readonly LiveUse[]): readonly LiveUse[] {
  return uses.toSorted((a, b) => b.in_flight - a.in_flight || b.requests - a.requests).slice(0, SHOWN_KEYS)
}
