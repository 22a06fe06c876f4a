import type { ServiceNode } from '#contract/nodes.ts'
import { Badge } from '#web/ui/badge.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { formatCount, formatShare } from '#web/ui/numbers.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Sideways } from '#web/ui/sideways.tsx'
import { type Column, Table } from '#web/ui/table.tsx'

const MEBIBYTE = 1024 * 1024

const STATES: Readonly<Record<ServiceNode['state'], { tone?: 'good' | 'warn' | 'bad'; label: string }>> = {
  serving: { tone: 'good', label: 'Serves' },
  draining: { tone: 'warn', label: 'Ends' },
  stopped: { label: 'Ended' },
  vanished: { tone: 'bad', label: 'Gone' },
}

const isThere = ({ state }: ServiceNode) => state === 'serving' || state === 'draining'

/** A figure that says nothing of a node that is not there. */
const whileThere = (read: (node: ServiceNode) => string) => (node: ServiceNode) =>
  isThere(node) ? read(node) : '–'

const COLUMNS: readonly Column<ServiceNode>[] = [
  {
    header: 'Node',
    isName: true,
    className: 'wrap-anywhere',
    cell: ({ name, address, answers }) => (
      <span>
        {name}
        {address !== null && <span className="text-muted"> at {address}</span>}
        {answers && <span className="text-muted"> (answers you)</span>}
      </span>
    ),
  },
  {
    header: 'State',
    cell: ({ state }) => {
      const { tone, label } = STATES[state]
      return <Badge {...(tone === undefined ? {} : { tone })}>{label}</Badge>
    },
  },
  { header: 'In flight', align: 'end', cell: whileThere(node => formatCount(node.in_flight)) },
  { header: 'Busy', align: 'end', cell: whileThere(node => formatShare(Math.round(node.busy * 100), 100)) },
  {
    header: 'Memory',
    align: 'end',
    cell: whileThere(node => `${formatCount(Math.round(node.memory_bytes / MEBIBYTE))} MiB`),
  },
  { header: 'Redis', cell: whileThere(({ redis }) => REDIS[redis ?? 'none']) },
  { header: 'Version', cell: ({ version }) => version },
  { header: 'Started', cell: ({ started_at }) => <DateTime value={started_at} /> },
  { header: 'Heard of', cell: ({ last_seen_at }) => <DateTime value={last_seen_at} show="second" /> },
]

const REDIS = { ok: 'Answers', down: 'Down', none: 'Not used' } as const

/** Every process that serves, and those that ended or vanished of late. */
export function NodesPanel({ nodes }: { readonly nodes: readonly ServiceNode[] }) {
  return (
    <Panel title="Nodes">
      <Sideways label="Nodes">
        <Table caption="Nodes of this service" columns={COLUMNS} rows={nodes} rowKey={({ id }) => id} />
      </Sideways>
    </Panel>
  )
}
