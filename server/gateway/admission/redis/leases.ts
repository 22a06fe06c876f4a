import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HeldSlots } from '#gateway/admission/memory-engine.ts'
import { RedisAway, type RedisLink } from '#redis/link.ts'
import { slotsKey } from './keys.ts'
import { RENEW_EVERY_MS, renewScript, SLOTS_A_CALL } from './scripts.ts'
import type { ServerClock } from './server-clock.ts'

/** So many calls are made before other requests get their turn. */
const CALLS_A_TURN = 100
/** When Redis has forgotten something, everything is registered no more often than this, however many notice it. */
const FORGOTTEN_PAUSE_MS = 250

export type LeasesParts = {
  readonly link: RedisLink
  readonly serverClock: ServerClock
  /** Every slot that this node holds. */
  readonly held: () => Iterable<HeldSlots>
  readonly memberOf: (id: number) => string
  /** Takes the place of the server's clock; for tests alone. */
  readonly serverNow?: () => number
}

/** Keeps the slots of this node registered in Redis: by renewing them, a node shows that it is alive. */
export type Leases = {
  /** Renews everything that is held, a little at a time; resolves when all of it was answered or given up. */
  renew(): Promise<void>
  /** Sends the registration of everything that is held before it returns. */
  registerAll(): void
  /** The same for one key. */
  register(slots: HeldSlots): void
  /** Registers everything because Redis has forgotten something: now, or in a moment if that was done a moment ago. */
  registerForgotten(): void
  stop(): void
}

export function startLeases(parts: LeasesParts): Leases {
  const { held } = parts
  let pause: NodeJS.Timeout | undefined
  let isDueAgain = false

  async function renew(): Promise<void> {
    const renewals: Promise<void>[] = []
    for (const slots of [...held()]) {
      for (const ids of chunks(slots.ids)) {
        renewals.push(send(parts, slots, ids))
        if (renewals.length % CALLS_A_TURN === 0) await nextTurn()
      }
    }
    await Promise.all(renewals)
  }

  function register(slots: HeldSlots): void {
    for (const ids of chunks(slots.ids)) void send(parts, slots, ids)
  }

  function registerAll(): void {
    for (const slots of held()) register(slots)
  }

  function registerForgotten(): void {
    if (pause) {
      isDueAgain = true
      return
    }
    registerAll()
    pause = setTimeout(() => {
      pause = undefined
      if (isDueAgain) registerForgotten()
      isDueAgain = false
    }, FORGOTTEN_PAUSE_MS)
    pause.unref()
  }

  const renewing = setInterval(() => void renew(), RENEW_EVERY_MS)
  renewing.unref()
  return {
    renew,
    register,
    registerAll,
    registerForgotten,
    stop: () => {
      clearInterval(renewing)
      clearTimeout(pause)
    },
  }
}

/** Never rejects: when Redis was away, everything is registered again as soon as it is back. */
async function send(parts: LeasesParts, slots: HeldSlots, ids: readonly number[]): Promise<void> {
  const { link, serverClock, memberOf, serverNow } = parts
  const deadline = serverClock.deadline()
  const args = [deadline, serverNow?.() ?? '', ...ids.map(memberOf)]
  try {
    const key = slotsKey(slots.accountId, slots.keyId)
    const serverMs = Number(await link.ask(client => renewScript.run(client, [key], args)))
    if (deadline !== '' && serverMs > deadline) serverClock.forget()
    serverClock.heard(serverMs)
    if (deadline !== '' && serverMs > deadline) await send(parts, slots, [...slots.ids])
  } catch (error) {
    if (!(error instanceof RedisAway)) throw error
  }
}

function chunks(ids: ReadonlySet<number>): number[][] {
  const all = [...ids]
  const calls = Math.ceil(all.length / SLOTS_A_CALL)
  return Array.from({ length: calls }, (_, call) => all.slice(call * SLOTS_A_CALL, (call + 1) * SLOTS_A_CALL))
}
