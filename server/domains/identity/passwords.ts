import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'

/** OWASP's password storage cheat sheet: argon2id with 19 MiB, two passes, one lane. Argon2id is the library's default. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** A hash of the same cost that no password fits: what is checked when there is nobody to check against. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$Z29sZHdlaWdodC1ub2JvZHk$0cVJMNpCHGFvzNWnSNxlgU6eDqCh3rq1dQWg4k5mSZA'

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
export function createPasswords(maxAtOnce: number = MAX_AT_ONCE): Passwords {
  const inTurn = createTurnstile(maxAtOnce)
  return {
    hash: password => inTurn(() => hash(password, COST)),
    verify: (hashed, password) =>
      inTurn(async () => {
        const fits = await verify(hashed ?? NOBODY, password)
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
