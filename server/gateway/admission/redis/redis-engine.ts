import type { KeyUse, LimitedKey } from '#domains/keys/live-use.ts'
import {
  type AdmissionDecision,
  type AdmissionEngine,
  type DecisionKind,
  decided,
  type Slot,
} from '#gateway/admission/engine.ts'
import type { MemoryAdmission, Question } from '#gateway/admission/memory-engine.ts'
import type { Clock } from '#lib/clock.ts'
import type { Bus } from '#redis/bus.ts'
import type { RedisLink } from '#redis/link.ts'
import { balanceKey, slotsKey, windowKey } from './keys.ts'
import { startLeases } from './leases.ts'
import { BALANCE_MS, decideScript, useScript, VERDICT } from './scripts.ts'
import { ServerClock } from './server-clock.ts'
import { pictureOf, Settlements } from './settlements.ts'

/** The topic by which a node says that Redis has forgotten slots. */
const SLOTS_FORGOTTEN_TOPIC = 'slots-forgotten'

const DECISIONS: Readonly<Record<number, DecisionKind>> = {
  [VERDICT.ADMITTED]: 'admitted',
  [VERDICT.RATE_LIMITED]: 'rate-limited',
  [VERDICT.CREDITS_EXHAUSTED]: 'credits-exhausted',
  [VERDICT.CONCURRENCY_REACHED]: 'concurrency-reached',
}

export type RedisAdmissionParts = {
  readonly link: RedisLink
  readonly bus: Bus
  /** What this node holds, and how it goes on alone while Redis is away. */
  readonly alone: MemoryAdmission
  /** Eight letters or so that no other node has. */
  readonly nodeId: string
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Takes the place of the server's clock; for tests alone, which can't move that one. */
  readonly serverNow?: () => number
}

export type RedisAdmission = AdmissionEngine & {
  /** Renews the leases of all slots that this node holds; it does so by itself every four seconds. */
  renewLeases(): Promise<void>
}

/** The engine that all nodes share: exact over all of them while Redis answers, and on each of them while it does not. */
export function createRedisAdmission(parts: RedisAdmissionParts): RedisAdmission {
  const { link, bus, alone, nodeId, clock, serverNow } = parts
  const serverClock = new ServerClock(clock)
  const memberOf = (id: number) => nodeId + id.toString(36)
  const settlements = new Settlements({ link, memberOf: slot => memberOf(slot.id), serverNow })
  const leases = startLeases({ link, serverClock, held: alone.held, memberOf, serverNow })

  /** Redis was emptied, or this node kept it waiting for too long: all nodes tell it again what they hold. */
  function slotsForgotten(): void {
    leases.registerForgotten()
    bus.publish(SLOTS_FORGOTTEN_TOPIC, null)
  }

  async function ask(question: Question, isRepeated = false): Promise<AdmissionDecision> {
    const { caller, controls, balance, slotId } = question
    const { keyId, accountId, limits } = caller
    const held = alone.heldFor(keyId)
    const keys = [windowKey(accountId, keyId), slotsKey(accountId, keyId), balanceKey(accountId)]
    const args = [
      limits.requests,
      limits.windowSeconds * 1000,
      limits.concurrency,
      controls === 'rate' ? '' : memberOf(slotId),
      isRepeated ? 0 : (held?.ids.size ?? 0),
      isRepeated ? '' : serverClock.deadline(),
      ...pictureOf(balance),
    ]
    if (serverNow) args.push(serverNow())
    // What ended before is told before.
    settlements.send()
    const reply = await link.ask(client => decideScript.run(client, keys, args))
    // The script returns five whole numbers, whatever it decides.
    const [verdict, counted, msUntilNextFree, inFlight, serverMs] = reply as number[]
    if (verdict === VERDICT.TOO_LATE) serverClock.forget()
    serverClock.heard(serverMs ?? 0)
    if (verdict === VERDICT.TOO_LATE) return ask(question, true)
    if (verdict === VERDICT.SLOTS_FORGOTTEN) {
      if (held) leases.register(held)
      slotsForgotten()
      return ask(question, true)
    }
    if (verdict === VERDICT.BALANCE_UNKNOWN && alone.hasLearntWithin(accountId, BALANCE_MS / 2))
      slotsForgotten()
    const kind = DECISIONS[verdict ?? -1]
    if (kind === undefined) return { kind: 'balance-unknown' }
    const isAdmitted = kind === 'admitted'
    if (isAdmitted) alone.note(question)
    const slot = isAdmitted && controls !== 'rate' ? { accountId, keyId, id: slotId } : null
    const standing = {
      caller,
      controls,
      counted: counted ?? 0,
      msUntilNextFree: msUntilNextFree ?? 0,
      inFlight: inFlight ?? 0,
    }
    return decided(kind, standing, slot)
  }

  async function readUse({ keyId, accountId, limits }: LimitedKey): Promise<KeyUse> {
    const keys = [windowKey(accountId, keyId), slotsKey(accountId, keyId)]
    const args = [limits.windowSeconds * 1000, ...(serverNow ? [serverNow()] : [])]
    // The script returns two whole numbers.
    const reply = (await link.ask(client => useScript.run(client, keys, args))) as number[]
    const [requests = 0, inFlight = 0] = reply
    return { keyId, requests, inFlight }
  }

  /** Nobody knows whether Redis has let the request in: if this node does not, it gives the slot back to be safe. */
  function decideAlone(question: Question): AdmissionDecision {
    const decision = alone.decide(question)
    const mayBeHeld = decision.kind !== 'admitted' && question.controls !== 'rate'
    const { keyId, accountId } = question.caller
    if (mayBeHeld) void settlements.release({ accountId, keyId, id: question.slotId })
    return decision
  }

  link.onUp(() => {
    serverClock.forget()
    leases.registerAll()
    settlements.send()
  })
  bus.subscribe(SLOTS_FORGOTTEN_TOPIC, () => leases.registerForgotten())

  return {
    admit: (caller, controls, balance) => {
      const question = { caller, controls, balance, slotId: alone.newSlotId() }
      if (!link.isUp()) return alone.decide(question)
      if (balance) alone.learnBalance(caller.accountId, balance)
      return ask(question).catch(() => decideAlone(question))
    },
    release: (slot: Slot) => (alone.giveBack(slot) ? settlements.release(slot) : null),
    learnBalance: (accountId, balance) => {
      alone.learnBalance(accountId, balance)
      return settlements.learn(accountId, balance)
    },
    readUse: async limited => {
      if (!link.isUp()) return alone.readUse(limited)
      // What ended before is told before.
      settlements.send()
      return Promise.all(limited.map(readUse)).catch(() => alone.readUse(limited))
    },
    renewLeases: leases.renew,
    close: () => {
      leases.stop()
      alone.close()
    },
  }
}
