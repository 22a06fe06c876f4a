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
import { gatherQuestions, type Questions } from './gather.ts'
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

/** How many numbers the script says of each request. */
const SAID_OF_EACH = 4

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

  async function ask(questions: Questions, isRepeated = false): Promise<readonly AdmissionDecision[]> {
    const [{ caller, controls, balance }] = questions
    const { keyId, accountId, limits } = caller
    const held = alone.heldFor(keyId)
    const keys = [windowKey(accountId, keyId), slotsKey(accountId, keyId), balanceKey(accountId)]
    const args = [
      limits.requests,
      limits.windowSeconds * 1000,
      limits.concurrency,
      isRepeated ? 0 : (held?.ids.size ?? 0),
      isRepeated ? '' : serverClock.deadline(),
      ...pictureOf(balance),
      serverNow?.() ?? '',
      ...questions.map(({ slotId }) => (controls === 'rate' ? '' : memberOf(slotId))),
    ]
    // What ended before is told before.
    settlements.send()
    const reply = await link.ask(client => decideScript.run(client, keys, args))
    // The script returns whole numbers alone.
    const [serverMs = 0, ...said] = reply as number[]
    const verdicts = said.filter((_, index) => index % SAID_OF_EACH === 0)
    const isTooLate = verdicts[0] === VERDICT.TOO_LATE
    if (isTooLate) serverClock.forget()
    serverClock.heard(serverMs)
    if (isTooLate) return ask(questions, true)
    if (verdicts.includes(VERDICT.SLOTS_FORGOTTEN)) {
      // None of them was let in.
      if (held) leases.register(held)
      slotsForgotten()
      return ask(questions, true)
    }
    const isUnknown = verdicts.includes(VERDICT.BALANCE_UNKNOWN)
    if (isUnknown && alone.hasLearntWithin(accountId, BALANCE_MS / 2)) slotsForgotten()
    return questions.map((question, index) => readDecision(question, said, SAID_OF_EACH * index))
  }

  function readDecision(question: Question, said: readonly number[], at: number): AdmissionDecision {
    const { caller, controls, slotId } = question
    const { keyId, accountId } = caller
    const [verdict = -1, counted = 0, msUntilNextFree = 0, inFlight = 0] = said.slice(at, at + SAID_OF_EACH)
    const kind = DECISIONS[verdict]
    if (kind === undefined) return { kind: 'balance-unknown' }
    const isAdmitted = kind === 'admitted'
    if (isAdmitted) alone.note(question)
    const slot = isAdmitted && controls !== 'rate' ? { accountId, keyId, id: slotId } : null
    return decided(kind, { caller, controls, counted, msUntilNextFree, inFlight }, slot)
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

  const gathered = gatherQuestions(ask)

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
      return gathered(question).catch(() => decideAlone(question))
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
