import type { Caller } from '#domains/keys/caller.ts'
import { type CapPeriod, periodAt, type Span } from '#domains/keys/spending.ts'
import type { Clock } from '#lib/clock.ts'
import { type Micros, micros, ZERO_MICROS } from '#lib/money.ts'

/** A charge that was committed. */
export type SettledCharge = {
  readonly accountId: string
  readonly keyId: string
  readonly micros: Micros
  /** When the request came in: it belongs to the day and month of that moment. */
  readonly arrivedAt: number
}

export type KeySpendingParts = {
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>
  /** What the key was charged in the span: all that was committed before it is asked. */
  readonly read: (key: Pick<Caller, 'keyId' | 'accountId'>, span: Span) => Promise<Micros>
  /** Whether other processes charge too: what they did is looked up every few seconds. */
  readonly isShared: boolean
  /** Tells other nodes that the key was charged. */
  readonly announce: (keyId: string) => void
}

/** An older picture is not believed where others charge too, as with balances. */
const MAX_AGE_MS = 4_000
/** From this age on it is read again while it still serves. */
const REFRESH_AGE_MS = 2_500
/**
 * Where nobody else charges, what is known stays right, but for one thing: a charge that was read already in the moment
 * between its commit and the word of it counts twice until this age.
 */
const REFRESH_AGE_ALONE_MS = 60_000
/** A reading during which charges were committed is repeated, up to so many times: whether it has them can't be told. */
const MAX_READINGS = 5
const MAX_PICTURES = 50_000

type Picture = {
  readonly span: Span
  /** As read from the store; charges of this node that came later are added. */
  spent: Micros
  readAtMs: number
  /** Charges that this node has committed since the process began to look at the key. */
  charged: Micros
  reading: Promise<void> | null
  isDoubtful: boolean
}

/** A cap that is spent, and when it begins anew. */
export type ReachedCap = { readonly period: CapPeriod; readonly secondsLeft: number }

/** What keys with a cap have spent in the day or month that goes on, as far as this node knows. */
export type KeySpending = {
  /** The caller's cap where it is spent, by what is settled; null where it is not. At once where it is known. */
  findReachedCap(caller: Caller): ReachedCap | null | Promise<ReachedCap | null>
  /** Takes a charge that this node has committed. */
  settled(charge: SettledCharge): void
  /** Another node has charged the key, or may have: what is known of it is read again before it is used. */
  doubt(keyId: string | 'all'): void
}

export function createKeySpending(parts: KeySpendingParts): KeySpending {
  const { clock, read, isShared, announce } = parts
  const pictures = new Map<string, Picture>()

  function pictureOf({ keyId }: Caller, span: Span): Picture {
    const known = pictures.get(keyId)
    if (known && known.span.startMs === span.startMs && known.span.endMs === span.endMs) return known
    const picture = {
      span,
      spent: ZERO_MICROS,
      readAtMs: Number.NEGATIVE_INFINITY,
      charged: ZERO_MICROS,
      reading: null,
      isDoubtful: true,
    }
    pictures.delete(keyId)
    const oldest = pictures.size >= MAX_PICTURES ? pictures.keys().next().value : undefined
    if (oldest !== undefined) pictures.delete(oldest)
    pictures.set(keyId, picture)
    return picture
  }

  function refresh(caller: Caller, picture: Picture): Promise<void> {
    picture.reading ??= readAgain(caller, picture).finally(() => {
      picture.reading = null
    })
    return picture.reading
  }

  async function readAgain(caller: Caller, picture: Picture): Promise<void> {
    const wasDoubtful = picture.isDoubtful
    try {
      await readUntilCertain(caller, picture, wasDoubtful)
    } catch (error) {
      // What was in doubt before is so still.
      picture.isDoubtful ||= wasDoubtful
      throw error
    }
  }

  async function readUntilCertain(caller: Caller, picture: Picture, wasDoubtful: boolean): Promise<void> {
    for (let turn = 1; ; turn++) {
      const before = picture.charged
      const readAtMs = clock.monotonicMs()
      picture.isDoubtful = false
      const spent = await read(caller, picture.span)
      const isCertain = picture.charged === before
      if (!isCertain && turn < MAX_READINGS) continue
      picture.readAtMs = readAtMs
      // Where nobody else charges, what was known is better than a reading that may lack something.
      if (!isCertain && !isShared && !wasDoubtful) return
      picture.spent = spent
      if (!isCertain) picture.isDoubtful = true
      return
    }
  }

  return {
    findReachedCap: caller => {
      const { spendingCap } = caller
      if (!spendingCap) return null
      const { period } = spendingCap
      const nowMs = clock.now()
      const picture = pictureOf(caller, periodAt(period, nowMs))
      const secondsLeft = Math.ceil((picture.span.endMs - nowMs) / 1000)
      const find = () => (picture.spent >= spendingCap.micros ? { period, secondsLeft } : null)
      const ageMs = clock.monotonicMs() - picture.readAtMs
      if (picture.isDoubtful || (isShared && ageMs >= MAX_AGE_MS)) {
        return refresh(caller, picture).then(find)
      }
      // A refresh that fails leaves the picture as it is: it serves until it is too old, and then the store must answer.
      if (ageMs >= (isShared ? REFRESH_AGE_MS : REFRESH_AGE_ALONE_MS))
        refresh(caller, picture).catch(() => {})
      return find()
    },
    settled: ({ keyId, micros: charge, arrivedAt }) => {
      const picture = pictures.get(keyId)
      if (!picture) return
      if (arrivedAt >= picture.span.startMs && arrivedAt < picture.span.endMs) {
        picture.spent = micros(picture.spent + charge)
        picture.charged = micros(picture.charged + charge)
      }
      announce(keyId)
    },
    doubt: keyId => {
      if (keyId === 'all') for (const picture of pictures.values()) picture.isDoubtful = true
      else {
        const picture = pictures.get(keyId)
        if (picture) picture.isDoubtful = true
      }
    },
  }
}
