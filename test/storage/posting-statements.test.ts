import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Storage } from '#storage/storage.ts'
import { ENGINES, type OpenedStorage } from './engines.ts'
import { entryOf, insertAccount } from './rows.ts'

describe.each(ENGINES)('a posting with further statements on $name', ({ open }) => {
  let opened: OpenedStorage
  let storage: Storage

  beforeEach(async () => {
    opened = await open()
    storage = opened.storage
  })
  afterEach(() => opened.close())

  test('changes no balance when one of them does not change what it expects to', async () => {
    const accountId = await insertAccount(storage)
    const nothing = storage.db.deleteFrom('settings').where('name', '=', 'none')
    const posting = await storage.post({
      accountId,
      request: null,
      entry: entryOf('grant', 5n),
      also: [{ query: nothing, expectRows: 1 }],
    })
    expect(posting).toEqual({ kind: 'unmet', index: 0 })
    const account = await storage.db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow()
    expect(account.allocated_micros).toBe(0n)
  })
})
