import type { SettingsRegister } from '#domains/settings/settings.ts'
import type { Change, Changes } from '#lib/changes.ts'
import type { Clock } from '#lib/clock.ts'
import type { Storage } from '#storage/storage.ts'
import type { Caller, OwnKey } from './caller.ts'
import { readCaller } from './read-caller.ts'

/** After this an entry is no longer served: so long a revocation may go unnoticed when its message is lost. */
const MAX_AGE_MS = 4000
/** From this age on an entry in use is read again while it still serves, so that hardly any request has to wait. */
const REFRESH_AGE_MS = 2500
const MAX_ENTRIES = 50_000

type Entry = { readonly caller: Caller; readonly readAtMs: number }

/** Finds who stands behind a token: the only lookup that every protected request makes. */
export type CallerDirectory = {
  /**
   * The caller for the hash of a token, or null when the key is unknown, revoked or expired, its user disabled, or its
   * account suspended. A caller that is known is given at once, without a promise. Rejects when the store can't be
   * asked: that is no reason to call a key invalid.
   */
  find(tokenHash: string): Caller | null | Promise<Caller | null>
  /** The caller for a key of this owner, always as the store has it; null as above, and for another user's key. */
  findOwn(key: OwnKey): Promise<Caller | null>
}

export type CallerDirectoryParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly changes: Changes
  readonly settings: SettingsRegister
}

export function createCallerDirectory(parts: CallerDirectoryParts): CallerDirectory {
  const { clock, changes } = parts
  const entries = new Map<string, Entry>()
  let reading = new Map<string, Promise<Caller | null>>()

  changes.subscribe(change => {
    if (change.kind === 'catalog' || change.kind === 'key-spending') return
    for (const [tokenHash, { caller }] of entries) {
      if (concerns(change, caller)) entries.delete(tokenHash)
    }
    // What is being read now may be the picture from before the change. Those who asked before it get that answer, but
    // it is not kept, and whoever asks from here on starts a reading of their own.
    reading = new Map()
  })

  function keep(tokenHash: string, caller: Caller | null, readAtMs: number): void {
    entries.delete(tokenHash)
    if (caller === null) return
    if (entries.size >= MAX_ENTRIES) {
      const oldest = entries.keys().next().value
      if (oldest !== undefined) entries.delete(oldest)
    }
    entries.set(tokenHash, { caller, readAtMs })
  }

  /** One reading for all who ask for the same token at once. */
  function read(tokenHash: string): Promise<Caller | null> {
    const shared = reading.get(tokenHash)
    if (shared) return shared
    const readings = reading
    const readAtMs = clock.monotonicMs()
    const result = readCaller(parts, { tokenHash })
      .then(caller => {
        if (reading === readings) keep(tokenHash, caller, readAtMs)
        return caller
      })
      .finally(() => readings.delete(tokenHash))
    readings.set(tokenHash, result)
    return result
  }

  const ifNotExpired = (caller: Caller | null): Caller | null =>
    caller === null || (caller.expiresAt !== null && caller.expiresAt <= clock.now()) ? null : caller

  return {
    findOwn: async key => ifNotExpired(await readCaller(parts, key)),
    find: tokenHash => {
      const entry = entries.get(tokenHash)
      if (entry === undefined) return read(tokenHash).then(ifNotExpired)
      const ageMs = clock.monotonicMs() - entry.readAtMs
      if (ageMs >= MAX_AGE_MS) return read(tokenHash).then(ifNotExpired)
      // A refresh that fails leaves the entry as it is: it is served until it is too old, and then the store must answer.
      if (ageMs >= REFRESH_AGE_MS) read(tokenHash).catch(() => {})
      return ifNotExpired(entry.caller)
    },
  }
}

function concerns(change: Change, caller: Caller): boolean {
  switch (change.kind) {
    case 'key':
      return change.keyId === caller.keyId
    case 'user':
      return change.userId === caller.userId
    case 'account':
      return change.accountId === caller.accountId
    case 'settings':
    case 'resync':
      return true
    case 'catalog':
    case 'key-spending':
      return false
  }
}
