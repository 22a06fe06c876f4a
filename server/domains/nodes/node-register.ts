import type { ServiceNode } from '#contract/nodes.ts'
import { type Clock, rfc3339 } from '#lib/clock.ts'
import { startClockwork } from '#lib/clockwork.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { ServiceNodeRow } from '#storage/watch-tables.ts'

const BEAT_EVERY_MS = 5_000
/** A beat that is not late but missed. */
const MISSED_BEAT_MS = 8_000
/** Three beats that were missed, and a bit for clocks that differ. */
const VANISHED_AFTER_MS = 20_000
const STOPPED_KEPT_MS = 3_600_000
const VANISHED_KEPT_MS = 24 * 3_600_000
/** However often nodes come and go, so many are shown. */
const MOST_SHOWN = 100

/** How a node is at this moment. */
export type NodeState = Pick<ServiceNodeRow, 'address' | 'in_flight' | 'redis' | 'memory_bytes'> & {
  readonly isDraining: boolean
  /** The share of the time since it was asked last in which its event loop had work. */
  readonly busy: number
}

export type NodeRegister = {
  /** All nodes, those that ended or vanished of late included: those that serve first, the newest before others. */
  list(): Promise<ServiceNode[]>
  /** Notes how this node is; rejects when the store does not take it. */
  beat(): Promise<void>
  /** Stops the clockwork and notes that this node has ended. */
  close(): Promise<void>
}

export type NodeRegisterParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly self: Pick<ServiceNodeRow, 'id' | 'name' | 'version'>
  readonly readState: () => NodeState
}

export function createNodeRegister({ storage, clock, self, readState }: NodeRegisterParts): NodeRegister {
  const startedAt = clock.now()
  let isStopped = false

  function ownRow(): ServiceNodeRow {
    const { isDraining, busy, ...rest } = readState()
    return {
      ...self,
      ...rest,
      state: isStopped ? 'stopped' : isDraining ? 'draining' : 'serving',
      busy_percent: Math.round(busy * 100),
      started_at: startedAt,
      last_seen_at: clock.now(),
    }
  }

  async function write(): Promise<void> {
    const row = ownRow()
    await storage.commit([putRow(storage, row), ...clearAway(storage, row)])
  }

  // A beat that the store does not take is missed, and the store's failures are logged elsewhere.
  const clockwork = startClockwork(write, BEAT_EVERY_MS)

  return {
    beat: clockwork.run,
    list: async () => {
      const rows = await storage.db
        .selectFrom('service_nodes')
        .selectAll()
        .where('id', '!=', self.id)
        .orderBy('last_seen_at', 'desc')
        .limit(MOST_SHOWN)
        .execute()
      const nowMs = clock.now()
      const others = rows.map(row => toNode(row, { answers: false, nowMs }))
      // Of itself a node knows better than the store.
      const own = toNode(ownRow(), { answers: true, nowMs })
      return [own, ...others].toSorted(
        (a, b) => Number(isServing(b)) - Number(isServing(a)) || b.started_at.localeCompare(a.started_at),
      )
    },
    close: () => {
      isStopped = true
      return clockwork.close()
    },
  }
}

/** Whether requests may be in flight there. */
export function isServing({ state }: Pick<ServiceNode, 'state'>): boolean {
  return state === 'serving' || state === 'draining'
}

function toNode(
  { busy_percent, started_at, last_seen_at, ...row }: ServiceNodeRow,
  { answers, nowMs }: { readonly answers: boolean; readonly nowMs: number },
): ServiceNode {
  const hasVanished = row.state !== 'stopped' && nowMs - last_seen_at > VANISHED_AFTER_MS
  return {
    ...row,
    object: 'node',
    state: hasVanished ? 'vanished' : row.state,
    answers,
    busy: busy_percent / 100,
    started_at: rfc3339(started_at),
    last_seen_at: rfc3339(last_seen_at),
  }
}

function putRow({ db }: Storage, row: ServiceNodeRow): Statement {
  const { id: _, ...columns } = row
  const query = db
    .insertInto('service_nodes')
    .values(row)
    .onConflict(conflict => conflict.column('id').doUpdateSet(columns))
  return { query }
}

/**
 * Nodes that ended or vanished a while ago, and those that this one has taken the place of: they had its name and address,
 * and have ended or missed a beat. Those that have not are others on a machine of the same name.
 */
function clearAway({ db }: Storage, { id, name, address, last_seen_at: nowMs }: ServiceNodeRow): Statement[] {
  const old = db
    .deleteFrom('service_nodes')
    .where(eb =>
      eb.or([
        eb('last_seen_at', '<', nowMs - VANISHED_KEPT_MS),
        eb.and([eb('state', '=', 'stopped'), eb('last_seen_at', '<', nowMs - STOPPED_KEPT_MS)]),
      ]),
    )
  if (address === null) return [{ query: old }]
  const replaced = db
    .deleteFrom('service_nodes')
    .where('id', '!=', id)
    .where('name', '=', name)
    .where('address', '=', address)
    .where(eb => eb.or([eb('state', '=', 'stopped'), eb('last_seen_at', '<', nowMs - MISSED_BEAT_MS)]))
  return [{ query: old }, { query: replaced }]
}
