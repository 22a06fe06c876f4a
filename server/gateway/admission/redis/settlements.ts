import type { Slot } from '#gateway/admission/engine.ts'
import type { RedisLink } from '#redis/link.ts'
import type { Balance } from '#storage/storage.ts'
import { balanceKey, slotsKey } from './keys.ts'
import { SLOTS_A_CALL, settleScript } from './scripts.ts'

/** So many slots wait at most while Redis is away; the leases of the rest lapse by themselves. */
const MAX_WAITING_SLOTS = 10_000

export type SettlementsParts = {
  readonly link: RedisLink
  readonly memberOf: (slot: Slot) => string
  /** Takes the place of the server's clock; for tests alone. */
  readonly serverNow?: () => number
}

type Waiting = { readonly accountId: string; readonly keyId: string; readonly members: string[] }

/**
 * What Redis has to be told when requests end: slots that are free, and balances as they are now. Requests that end
 * together, since their charges were committed together, are told together. What could not be told waits for Redis.
 *
 * Whoever holds an answer may ask another node next. Redis reads its connections in an order of its own, so an answer goes
 * out when Redis has confirmed what it was told, not when it was merely sent.
 */
export class Settlements {
  readonly #link: RedisLink
  readonly #memberOf: (slot: Slot) => string
  readonly #serverNow: (() => number) | undefined
  #balances = new Map<string, Balance>()
  #slots = new Map<string, Waiting>()
  #slotCount = 0
  /** Settled when what waits now was told; null while nothing waits to be. */
  #round: PromiseWithResolvers<void> | null = null

  constructor({ link, memberOf, serverNow }: SettlementsParts) {
    this.#link = link
    this.#memberOf = memberOf
    this.#serverNow = serverNow
  }

  /** Tells that the slot is free; resolves when it was told, or Redis is away. */
  release(slot: Slot): Promise<void> {
    this.#addSlot(slot.accountId, slot.keyId, this.#memberOf(slot))
    return this.#soon()
  }

  /** Tells of the balance, with the slots of the same requests where there are any; resolves as `release` does. */
  learn(accountId: string, balance: Balance): Promise<void> {
    this.#addBalance(accountId, balance)
    return this.#soon()
  }

  /** Tells everything that waits, in this turn. */
  send(): void {
    const round = this.#round
    this.#round = null
    const told = this.#link.isUp() ? this.#sendAll() : []
    if (round) void Promise.all(told).then(() => round.resolve())
  }

  #sendAll(): Promise<unknown>[] {
    const [balances, slots] = [this.#balances, this.#slots]
    this.#balances = new Map()
    this.#slots = new Map()
    this.#slotCount = 0
    const told: Promise<unknown>[] = []
    for (const waiting of slots.values()) {
      for (const call of inCalls(waiting)) {
        told.push(this.#sendOne(call, balances.get(waiting.accountId)))
        balances.delete(waiting.accountId)
      }
    }
    for (const [accountId, balance] of balances) {
      told.push(this.#sendOne({ accountId, keyId: '', members: [] }, balance))
    }
    return told
  }

  /** Those whose charges were committed together learn of it in the same drain of microtasks, and are told together. */
  #soon(): Promise<void> {
    if (this.#round) return this.#round.promise
    this.#round = Promise.withResolvers()
    process.nextTick(() => this.send())
    return this.#round.promise
  }

  #sendOne({ accountId, keyId, members }: Waiting, balance: Balance | undefined): Promise<unknown> {
    const keys = [balanceKey(accountId), slotsKey(accountId, keyId)]
    const args = [...pictureOf(balance), this.#serverNow?.() ?? '', ...members]
    return this.#link
      .ask(client => settleScript.run(client, keys, args))
      .catch(() => {
        if (balance) this.#addBalance(accountId, balance)
        for (const member of members) this.#addSlot(accountId, keyId, member)
      })
  }

  #addBalance(accountId: string, balance: Balance): void {
    const waiting = this.#balances.get(accountId)
    if (!waiting || balance.sequence > waiting.sequence) this.#balances.set(accountId, balance)
  }

  #addSlot(accountId: string, keyId: string, member: string): void {
    if (this.#slotCount >= MAX_WAITING_SLOTS) return
    this.#slotCount++
    const waiting = this.#slots.get(keyId)
    if (waiting) waiting.members.push(member)
    else this.#slots.set(keyId, { accountId, keyId, members: [member] })
  }
}

/** Of a busy key, any number of slots may wait when Redis comes back. */
function inCalls(waiting: Waiting): readonly Waiting[] {
  const { members } = waiting
  if (members.length <= SLOTS_A_CALL) return [waiting]
  const calls = Math.ceil(members.length / SLOTS_A_CALL)
  return Array.from({ length: calls }, (_, call) => ({
    ...waiting,
    members: members.slice(call * SLOTS_A_CALL, (call + 1) * SLOTS_A_CALL),
  }))
}

/** What is left of a balance, and its sequence, as the scripts take them. */
export function pictureOf(balance: Balance | undefined): [left: string, sequence: number | ''] {
  return balance ? [String(balance.allocatedMicros - balance.usedMicros), balance.sequence] : ['', '']
}
