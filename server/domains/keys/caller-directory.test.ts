import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAudit } from '#domains/audit/audit.ts'
import { createSettings } from '#domains/settings/settings.ts'
import { createLocalChanges } from '#lib/changes.ts'
import { ZERO_MICROS } from '#lib/money.ts'
import { openSqliteStorage } from '#storage/sqlite/sqlite-storage.ts'
import { type Storage, StorageUnavailable } from '#storage/storage.ts'
import { type CallerDirectory, createCallerDirectory } from './caller-directory.ts'
import { createKeyUseRecorder } from './key-use-recorder.ts'
import { createKeys } from './keys.ts'
import { hashToken } from './token.ts'

let folder: string
let storage: Storage
let ahead = 0
const clock = { now: () => Date.now() + ahead, monotonicMs: () => performance.now() + ahead }
const changes = createLocalChanges()
/** What a reading has to pass before its answer is used: tests hold it there while something else happens. */
let gate: Promise<void> = Promise.resolve()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'goldweight-keys-'))
  storage = await openSqliteStorage(join(folder, 'goldweight.db'))
  const { db } = storage
  const account = {
    id: 'acc_1',
    name: 'a',
    owner_id: 'usr_1',
    status: 'active' as const,
    allocated_micros: ZERO_MICROS,
    used_micros: ZERO_MICROS,
    last_allocation_micros: ZERO_MICROS,
    ledger_sequence: 0,
    created_at: 0,
  }
  const user = {
    id: 'usr_1',
    account_id: 'acc_1',
    email: 'e',
    name: 'n',
    password_hash: '',
    status: 'active' as const,
  }
  await storage.commit([
    { query: db.insertInto('accounts').values(account) },
    { query: db.insertInto('users').values({ ...user, created_at: 0 }) },
  ])
})
afterEach(async () => {
  ahead = 0
  gate = Promise.resolve()
  await storage.close()
  await rm(folder, { recursive: true })
})

function createParts() {
  const base = { storage, clock, changes }
  const audit = createAudit(base)
  const settings = createSettings({ ...base, audit })
  const gated = { ...settings, get: () => gate.then(settings.get) }
  return {
    keys: createKeys({ ...base, settings, audit }),
    callers: createCallerDirectory({ ...base, settings: gated }),
  }
}

async function makeKey(keys: ReturnType<typeof createKeys>) {
  const outcome = await keys.create({ userId: 'usr_1', name: 'k' }, { userId: 'usr_1' })
  if (!outcome.ok) throw new Error(outcome.refusal.message)
  return { ...outcome.value, tokenHash: hashToken(outcome.value.token) }
}

function closeGate(): () => void {
  let open = () => {}
  gate = new Promise(resolve => {
    open = resolve
  })
  return open
}

/** What another node does: the store changes, and its message is lost. */
async function revokeSilently(id: string): Promise<void> {
  await storage.commit([
    { query: storage.db.updateTable('api_keys').set({ revoked_at: clock.now() }).where('id', '=', id) },
  ])
}

const settled = (callers: CallerDirectory, tokenHash: string) => Promise.resolve(callers.find(tokenHash))

test('a caller that is known is given without a promise', async () => {
  const { keys, callers } = createParts()
  const key = await makeKey(keys)
  expect(callers.find(key.tokenHash)).toBeInstanceOf(Promise)
  const caller = await settled(callers, key.tokenHash)
  expect(caller).toEqual({
    keyId: key.id,
    userId: 'usr_1',
    accountId: 'acc_1',
    limits: { requests: 600, windowSeconds: 60, concurrency: 32 },
    models: null,
    spendingCap: null,
    expiresAt: null,
  })
  expect(callers.find(key.tokenHash)).toBe(caller)
})

test('an unknown token is nobody, until there is such a key', async () => {
  const { callers } = createParts()
  expect(await settled(callers, hashToken('gw_none'))).toBeNull()
})

test('a revocation whose message was lost counts within five seconds', async () => {
  const { keys, callers } = createParts()
  const key = await makeKey(keys)
  await settled(callers, key.tokenHash)
  await revokeSilently(key.id)
  ahead += 2000
  expect(callers.find(key.tokenHash)).not.toBeNull()
  ahead += 2100
  expect(await settled(callers, key.tokenHash)).toBeNull()
})

test('after messages may have been missed everybody is looked up again', async () => {
  const { keys, callers } = createParts()
  const key = await makeKey(keys)
  await settled(callers, key.tokenHash)
  await revokeSilently(key.id)
  changes.publish({ kind: 'resync' })
  expect(await settled(callers, key.tokenHash)).toBeNull()
})

test('a key in use is read again before it is too old, so that nobody waits', async () => {
  const { keys, callers } = createParts()
  const key = await makeKey(keys)
  await settled(callers, key.tokenHash)
  for (let i = 0; i < 5; i++) {
    ahead += 3000
    expect(callers.find(key.tokenHash)).toMatchObject({ keyId: key.id })
    // One store read later the entry is young again.
    await storage.ping()
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  await revokeSilently(key.id)
  ahead += 3000
  void callers.find(key.tokenHash)
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(await settled(callers, key.tokenHash)).toBeNull()
})

test('a reading that began before a revocation is never kept after it', async () => {
  const { keys, callers } = createParts()
  const key = await makeKey(keys)
  const open = closeGate()
  const early = settled(callers, key.tokenHash)
  await storage.ping()
  await keys.revoke(key.id, { userId: 'usr_1' })
  const late = settled(callers, key.tokenHash)
  open()
  // The early one asked while the key was good; whoever asks after the revocation learns of it.
  expect(await early).not.toBeNull()
  expect(await late).toBeNull()
  expect(await settled(callers, key.tokenHash)).toBeNull()
})

test('many who ask at once share one reading', async () => {
  const { keys, callers } = createParts()
  const key = await makeKey(keys)
  const open = closeGate()
  const asked = Array.from({ length: 50 }, () => settled(callers, key.tokenHash))
  open()
  const [first, ...others] = await Promise.all(asked)
  expect(first).not.toBeNull()
  for (const other of others) expect(other).toBe(first)
})

test('a store that is gone is a fault, never an invalid key', async () => {
  const { keys, callers } = createParts()
  const key = await makeKey(keys)
  await settled(callers, key.tokenHash)
  await storage.close()
  expect(callers.find(key.tokenHash)).toMatchObject({ keyId: key.id })
  ahead += 4100
  await expect(settled(callers, key.tokenHash)).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(settled(callers, hashToken('gw_other'))).rejects.toBeInstanceOf(StorageUnavailable)
})

test('uses are noted once a second, and what is left when it closes', async () => {
  const { keys } = createParts()
  const [a, b] = [await makeKey(keys), await makeKey(keys)]
  const recorder = createKeyUseRecorder({ storage, clock })
  const lastUsed = async (id: string) =>
    (await storage.db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
      .last_used_at
  recorder.used(a.id)
  expect(await lastUsed(a.id)).toBeNull()
  await expect.poll(() => lastUsed(a.id), { timeout: 3000 }).not.toBeNull()
  ahead += 60_000
  for (let i = 0; i < 1000; i++) recorder.used(a.id)
  recorder.used(b.id)
  recorder.used('key_deleted_meanwhile')
  await recorder.close()
  expect(await lastUsed(b.id)).toBeGreaterThan(Date.now() + 50_000)
  // An older note that arrives late, from another node, changes nothing.
  ahead -= 30_000
  const late = createKeyUseRecorder({ storage, clock })
  late.used(a.id)
  await late.close()
  expect(await lastUsed(a.id)).toBeGreaterThan(Date.now() + 50_000)
})

test('uses that the store did not take are kept for the next time', async () => {
  const { keys } = createParts()
  const key = await makeKey(keys)
  let down = true
  const recorder = createKeyUseRecorder({
    clock,
    storage: {
      ...storage,
      db: storage.db,
      commit: statements =>
        down ? Promise.reject(new StorageUnavailable('down')) : storage.commit(statements),
    },
  })
  recorder.used(key.id)
  await expect(recorder.flush()).rejects.toBeInstanceOf(StorageUnavailable)
  down = false
  await recorder.close()
  const row = await storage.db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow()
  expect(row.last_used_at).not.toBeNull()
})

test('a key that its owner names opens for the owner alone, until it is revoked or expires', async () => {
  const { keys, callers } = createParts()
  const expiresAt = new Date(clock.now() + 60_000).toISOString()
  const made = await keys.create({ userId: 'usr_1', name: 'k', expiresAt }, { userId: 'usr_1' })
  if (!made.ok) throw new Error(made.refusal.message)
  const keyId = made.value.id
  expect(await callers.findOwn({ userId: 'usr_1', keyId })).toMatchObject({ keyId, accountId: 'acc_1' })
  expect(await callers.findOwn({ userId: 'usr_2', keyId })).toBeNull()
  expect(await callers.findOwn({ userId: 'usr_1', keyId: 'key_2' })).toBeNull()
  ahead = 60_001
  expect(await callers.findOwn({ userId: 'usr_1', keyId })).toBeNull()
  ahead = 0
  await revokeSilently(keyId)
  expect(await callers.findOwn({ userId: 'usr_1', keyId })).toBeNull()
})
