import type { Clock } from '#lib/clock.ts'
import type { Balance } from '#storage/storage.ts'

/** How the balances in this process are kept right where other processes change them too. */
export type BalanceReading = {
  /** Reads the balance from the store and has it learnt. A failure is no matter: it will be asked for again. */
  readonly readAgain: (accountId: string) => Promise<unknown>
}

/** An older picture is not believed: so long a charge or a purchase on another node may go unnoticed. */
const MAX_AGE_MS = 4_000
/** From this age on a picture in use is read again while it still serves, so that hardly any request has to wait. */
const REFRESH_AGE_MS = 2_500
/** Before an account is refused its picture is looked at again: a purchase is to be noticed at once. */
export const EXHAUSTED_MAX_AGE_MS = 1_000
/** A picture that nobody has asked for or changed for so long is let go. */
const FORGET_AGE_MS = 3_600_000

type Picture = { balance: Balance; confirmedAtMs: number; usedAtMs: number; isBeingRead: boolean }

export type BalancePicturesParts = {
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** null where this process is the only one that changes balances: what it has learnt is right until it learns more. */
  readonly reading: BalanceReading | null
}

/** What one process knows of the accounts' balances. */
export class BalancePictures {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #reading: BalanceReading | null
  readonly #pictures = new Map<string, Picture>()

  constructor({ clock, reading }: BalancePicturesParts) {
    this.#clock = clock
    this.#reading = reading
  }

  /** Takes a balance as known as of now, unless a newer one is known already. */
  learn(accountId: string, balance: Balance): void {
    const nowMs = this.#clock.monotonicMs()
    const known = this.#pictures.get(accountId)
    if (!known) {
      this.#pictures.set(accountId, { balance, confirmedAtMs: nowMs, usedAtMs: nowMs, isBeingRead: false })
    } else if (balance.sequence >= known.balance.sequence) {
      known.balance = balance
      known.confirmedAtMs = nowMs
      known.usedAtMs = nowMs
    }
  }

  /** Whether there is something left, by a balance that was just read, or by a newer one that was learnt meanwhile. */
  hasCreditsBy(accountId: string, balance: Balance): boolean {
    this.learn(accountId, balance)
    return isAboveZero(this.#pictures.get(accountId)?.balance ?? balance)
  }

  /** Whether there is something left; null when nothing is known that may still be believed. */
  hasCredits(accountId: string): boolean | null {
    const picture = this.#pictures.get(accountId)
    if (!picture) return null
    const hasCredits = isAboveZero(picture.balance)
    if (this.#reading === null) return hasCredits
    const nowMs = this.#clock.monotonicMs()
    picture.usedAtMs = nowMs
    const ageMs = nowMs - picture.confirmedAtMs
    if (ageMs >= (hasCredits ? MAX_AGE_MS : EXHAUSTED_MAX_AGE_MS)) return null
    if (ageMs >= REFRESH_AGE_MS) this.#readAgain(accountId, picture, this.#reading)
    return hasCredits
  }

  /** Whether the balance was learnt within the last so many milliseconds. */
  wasLearntWithin(accountId: string, ms: number): boolean {
    const picture = this.#pictures.get(accountId)
    return picture !== undefined && this.#clock.monotonicMs() - picture.confirmedAtMs < ms
  }

  /** Lets go of what nobody has asked for in a long time. */
  forgetUnused(): void {
    if (this.#reading === null) return
    const nowMs = this.#clock.monotonicMs()
    for (const [accountId, { usedAtMs }] of this.#pictures) {
      if (nowMs - usedAtMs >= FORGET_AGE_MS) this.#pictures.delete(accountId)
    }
  }

  #readAgain(accountId: string, picture: Picture, { readAgain }: BalanceReading): void {
    if (picture.isBeingRead) return
    picture.isBeingRead = true
    readAgain(accountId)
      .catch(() => {})
      .finally(() => {
        picture.isBeingRead = false
      })
  }
}

function isAboveZero({ allocatedMicros, usedMicros }: Balance): boolean {
  return allocatedMicros > usedMicros
}
