import { EXHAUSTED_MAX_AGE_MS } from '#gateway/admission/balance-pictures.ts'
import { readRedisScript } from '#redis/script.ts'

/** So long after the last renewal a slot is free again, whatever became of the node that held it. */
export const LEASE_MS = 12_000
/** So often a node renews what it holds: a lease lapses only after the third renewal that did not come. */
export const RENEW_EVERY_MS = 4_000
/** So long Redis keeps what it knows of a key's slots when none is renewed or taken: longer than any of them counts. */
const SLOTS_MS = 60_000
/** So long Redis keeps a balance that no posting has told of; after it the store is asked. */
export const BALANCE_MS = 60_000
/** So many slots go into one call of a script, which can't take any number of arguments. */
export const SLOTS_A_CALL = 500

const constants = { LEASE_MS, SLOTS_MS, BALANCE_MS, EXHAUSTED_MS: EXHAUSTED_MAX_AGE_MS }
const read = (name: string) => readRedisScript(new URL(name, import.meta.url), constants)

export const decideScript = read('decide.lua')
export const settleScript = read('settle.lua')
export const useScript = read('use.lua')
export const renewScript = read('renew.lua')

/** What `decide.lua` answers first of each request. */
export const VERDICT = {
  ADMITTED: 0,
  RATE_LIMITED: 1,
  CREDITS_EXHAUSTED: 2,
  CONCURRENCY_REACHED: 3,
  BALANCE_UNKNOWN: 4,
  BALANCE_OLD: 5,
  SLOTS_FORGOTTEN: 6,
  TOO_LATE: 7,
} as const
