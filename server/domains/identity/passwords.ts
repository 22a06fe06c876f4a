import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'

/** What a hash costs whoever makes it, and whoever guesses at it: argon2id's memory in KiB, passes, and lanes. */
export type PasswordCost = {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** OWASP's password storage cheat sheet: argon2id with 19 MiB, two passes, one lane. Argon2id is the library's default. */
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const MAX_AT_ONCE = Math.max(1, Math.min(4, availableParallelism() - 1))

export type Passwords = {
  hash(password: string): Promise<string>
  /** Whether the password fits the hash. Takes the same time when there is no hash, and says no. */
  verify(hashed: string | null, password: string): Promise<boolean>
}

/**
 * Hashes passwords on the thread pool. Each hash takes a core for some 30 ms and 19 MiB, so only a few run at once; the
 * others wait their turn, and inference keeps the rest of the machine.
 */
export function createPasswords({ maxAtOnce = MAX_AT_ONCE, cost = COST } = {}): Passwords {
  const inTurn = createTurnstile(maxAtOnce)
  /** A hash of the same cost that no password fits: what is checked when there is nobody to check against. */
  const nobody = hash(randomBytes(32), cost)
  return {
    hash: password => inTurn(() => hash(password, cost)),
    verify: (hashed, password) =>
      inTurn(async () => {
        const fits = await verify(hashed ?? (await nobody), password)
        return fits && hashed !== null
      }),
  }
}

function createTurnstile(places: number) {
  let free = places
  const waiting: (() => void)[] = []
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free--
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place goes straight to whoever waits longest.
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
