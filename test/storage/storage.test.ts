import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { micros } from '#lib/money.ts'
import { type Storage, StorageUnavailable } from '#storage/storage.ts'
import { ENGINES, type OpenedStorage } from './engines.ts'
import { charge, entryOf, insertAccount, requestOf } from './rows.ts'

describe.each(ENGINES)('a store on $name', ({ open }) => {
  let opened: OpenedStorage
  let storage: Storage

  beforeEach(async () => {
    opened = await open()
    storage = opened.storage
  })
  afterEach(() => opened.close())

  const setting = (name: string, value = '1') => ({
    query: storage.db.insertInto('settings').values({ name, value_json: value }),
  })
  const names = async () => {
    const rows = await storage.db.selectFrom('settings').select('name').orderBy('name').execute()
    return rows.map(row => row.name)
  }

  describe('a unit of writes', () => {
    test('is seen by every read that begins after it', async () => {
      expect(await storage.commit([setting('a')])).toEqual({ kind: 'committed', rowsChanged: [1] })
      expect(await names()).toEqual(['a'])
      expect(await storage.snapshot(db => db.selectFrom('settings').select('name').execute())).toHaveLength(1)
    })

    test('is committed whole or not at all', async () => {
      await storage.commit([setting('a')])
      expect(await storage.commit([setting('b'), setting('a')])).toMatchObject({ kind: 'duplicate' })
      expect(await names()).toEqual(['a'])
    })

    test('fails when a statement changes another number of rows than expected', async () => {
      const nothing = storage.db.deleteFrom('settings').where('name', '=', 'none')
      const outcome = await storage.commit([setting('a'), { query: nothing, expectRows: 1 }])
      expect(outcome).toEqual({ kind: 'unmet', index: 1 })
      expect(await names()).toEqual([])
    })

    test('that fails does not take down those that are committed in the same moment', async () => {
      await storage.commit([setting('taken')])
      const units = ['a', 'taken', 'b', 'taken', 'c'].map(name => storage.commit([setting(name)]))
      const kinds = (await Promise.all(units)).map(outcome => outcome.kind)
      expect(kinds).toEqual(['committed', 'duplicate', 'committed', 'duplicate', 'committed'])
      expect(await names()).toEqual(['a', 'b', 'c', 'taken'])
    })

    test('that points to a row that is not there is refused', async () => {
      const user = {
        id: 'usr_1',
        account_id: 'acc_none',
        email: 'a@example.org',
        name: 'a',
        password_hash: '',
        status: 'active' as const,
        created_at: 1,
      }
      const outcome = await storage.commit([{ query: storage.db.insertInto('users').values(user) }])
      expect(outcome).toEqual({ kind: 'reference' })
    })

    test('of which ten race for one row succeeds once', async () => {
      await storage.commit([setting('a', '0')])
      const race = Array.from({ length: 10 }, () =>
        storage.commit([
          {
            query: storage.db
              .updateTable('settings')
              .set({ value_json: '1' })
              .where('name', '=', 'a')
              .where('value_json', '=', '0'),
            expectRows: 1,
          },
        ]),
      )
      const kinds = (await Promise.all(race)).map(outcome => outcome.kind)
      expect(kinds.filter(kind => kind === 'committed')).toHaveLength(1)
    })
  })

  describe('a posting', () => {
    test('gives the entry with its place on the ledger and the balance after it', async () => {
      const account = await insertAccount(storage)
      await storage.post({ accountId: account, request: null, entry: entryOf('grant', 500n) })
      expect(await charge(storage, account, 120)).toMatchObject({
        kind: 'posted',
        entry: { sequence: 2, balance_after_micros: 380n, amount_micros: -120n },
        balance: { allocatedMicros: 500n, usedMicros: 120n, lastAllocationMicros: 500n, sequence: 2 },
      })
    })

    test('of a request that is on record already changes nothing', async () => {
      const account = await insertAccount(storage)
      await charge(storage, account, 100, 'req_1')
      expect(await charge(storage, account, 100, 'req_1')).toEqual({ kind: 'already-posted' })
      const rows = await storage.db.selectFrom('ledger_entries').select('balance_after_micros').execute()
      expect(rows).toEqual([{ balance_after_micros: -100n }])
    })

    test('sent fifty times at once is made once', async () => {
      const account = await insertAccount(storage)
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, () => charge(storage, account, 7, 'req_1')),
      )
      expect(outcomes.filter(outcome => outcome.kind === 'posted')).toHaveLength(1)
      const row = await storage.db.selectFrom('accounts').select('used_micros').executeTakeFirstOrThrow()
      expect(row.used_micros).toBe(7n)
    })

    test('is added to all others of its moment, to whichever accounts they are', async () => {
      const accounts = [await insertAccount(storage), await insertAccount(storage)]
      const postings = accounts.flatMap(account => [
        ...Array.from({ length: 20 }, (_, tokens) => charge(storage, account, tokens)),
        storage.post({ accountId: account, request: null, entry: entryOf('grant', 1_000n) }),
        storage.post({ accountId: account, request: null, entry: entryOf('adjustment', -10n) }),
        storage.post({ accountId: account, request: requestOf(account, 0), entry: null }),
      ])
      const outcomes = await Promise.all(postings)
      expect(outcomes.map(({ kind }) => kind)).toEqual(Array(46).fill('posted'))
      for (const account of accounts) {
        const row = await storage.db
          .selectFrom('accounts')
          .selectAll()
          .where('id', '=', account)
          .executeTakeFirstOrThrow()
        expect(row).toMatchObject({
          allocated_micros: 990n,
          used_micros: 190n,
          last_allocation_micros: 1_000n,
          ledger_sequence: 22,
        })
        const entries = await storage.db
          .selectFrom('ledger_entries')
          .selectAll()
          .where('account_id', '=', account)
          .orderBy('sequence')
          .execute()
        let balance = 0n
        for (const [index, entry] of entries.entries()) {
          balance += entry.amount_micros
          expect(entry).toMatchObject({ sequence: index + 1, balance_after_micros: balance })
        }
      }
    })

    test('to an account that does not exist leaves no trace, not even of its request', async () => {
      expect(await charge(storage, 'acc_none', 5)).toEqual({ kind: 'no-account' })
      expect(await storage.db.selectFrom('requests').select('id').execute()).toEqual([])
    })

    test('that can not be made keeps none of its moment back, and adds to no sum', async () => {
      const account = await insertAccount(storage)
      await charge(storage, account, 100, 'req_1')
      const outcomes = await Promise.all([
        charge(storage, account, 1),
        charge(storage, account, 100, 'req_1'),
        charge(storage, 'acc_none', 5),
        charge(storage, account, 2),
      ])
      const kinds = outcomes.map(outcome => outcome.kind)
      expect(kinds).toEqual(['posted', 'already-posted', 'no-account', 'posted'])
      const row = await storage.db.selectFrom('accounts').select('used_micros').executeTakeFirstOrThrow()
      expect(row.used_micros).toBe(103n)
      const sums = await storage.db.selectFrom('usage_hours').select(['requests', 'charge_micros']).execute()
      expect(sums).toEqual([{ requests: 3, charge_micros: 103n }])
    })

    test.each([
      ['no number', { latency_ms: Number.NaN }],
      ['more than 64 bits', { charge_micros: micros(2n ** 63n) }],
    ])('of %s is refused alone, and nothing takes it for an outage', async (_, value) => {
      const account = await insertAccount(storage)
      const broken = { ...requestOf(account, 1), ...value }
      const outcomes = await Promise.allSettled([
        charge(storage, account, 1),
        storage.post({ accountId: account, request: broken, entry: null }),
        charge(storage, account, 2),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(storage.isAvailable()).toBe(true)
      const row = await storage.db.selectFrom('accounts').select('used_micros').executeTakeFirstOrThrow()
      expect(row.used_micros).toBe(3n)
    })

    test('without an entry puts the request on record and leaves the balance', async () => {
      const account = await insertAccount(storage)
      const outcome = await storage.post({ accountId: account, request: requestOf(account, 0), entry: null })
      expect(outcome).toMatchObject({ kind: 'posted', entry: null, balance: { sequence: 0 } })
    })

    test('takes its further rows along or fails with them', async () => {
      const account = await insertAccount(storage)
      await storage.commit([setting('taken')])
      const grant = entryOf('grant', 9n)
      const lost = await storage.post({
        accountId: account,
        request: null,
        entry: grant,
        also: [setting('taken')],
      })
      expect(lost.kind).not.toBe('posted')
      const made = await storage.post({
        accountId: account,
        request: null,
        entry: grant,
        also: [setting('new')],
      })
      expect(made).toMatchObject({ kind: 'posted', balance: { allocatedMicros: 9n } })
      expect(await names()).toEqual(['new', 'taken'])
    })

    test('stores every value of a usage record in its own column', async () => {
      const account = await insertAccount(storage)
      const request = {
        ...requestOf(account, 1),
        key_id: 'key_a',
        model: 'm_b',
        provider: 'p_c',
        upstream_model: 'u_d',
        stream: 1 as const,
        status: 'cancelled' as const,
        http_status: 299,
        input_tokens: 11,
        cache_read_tokens: 12,
        cache_write_tokens: 13,
        output_tokens: 14,
        charge_micros: micros(15n),
        usage_source: 'estimate' as const,
        latency_ms: 16,
        first_token_ms: 17,
        error_type: 'e_f',
        error_code: 'c_g',
        client_request_id: 'i_h',
        anomalous_usage_json: '{"j":18}',
        attempts_json: '[20]',
        created_at: 19,
      }
      await storage.post({ accountId: account, request, entry: null })
      expect(await storage.db.selectFrom('requests').selectAll().execute()).toEqual([request])
    })

    test('keeps amounts exact that no double can hold', async () => {
      const account = await insertAccount(storage)
      const amount = 9_007_199_254_740_993n
      await storage.post({ accountId: account, request: null, entry: entryOf('grant', amount) })
      const row = await storage.db.selectFrom('accounts').select('allocated_micros').executeTakeFirstOrThrow()
      expect(row.allocated_micros).toBe(amount)
    })
  })

  test('entries of the ledger can not be changed or deleted', async () => {
    const account = await insertAccount(storage)
    await charge(storage, account, 5)
    const change = storage.db.updateTable('ledger_entries').set({ note: 'x' })
    await expect(storage.commit([{ query: change }])).rejects.toThrow(/append-only/)
    await expect(storage.commit([{ query: storage.db.deleteFrom('ledger_entries') }])).rejects.toThrow(
      /append-only/,
    )
  })

  test('an entry of the ledger belongs to an account, which stays for as long as it has one', async () => {
    const stray = {
      ...entryOf('grant', 5n),
      account_id: 'acc_none',
      sequence: 1,
      balance_after_micros: micros(5n),
    }
    const insert = storage.db.insertInto('ledger_entries').values(stray)
    expect(await storage.commit([{ query: insert }])).toEqual({ kind: 'reference' })
    const account = await insertAccount(storage)
    await charge(storage, account, 5)
    const remove = storage.db.deleteFrom('accounts').where('id', '=', account)
    const others = storage.db.deleteFrom('users').where('account_id', '=', account)
    expect(await storage.commit([{ query: others }, { query: remove }])).toEqual({ kind: 'reference' })
  })

  test('text with a character that not every engine can store is stored with another in its place', async () => {
    await storage.commit([setting('a\0b', '"\0"')])
    expect(await storage.db.selectFrom('settings').selectAll().execute()).toEqual([
      { name: 'a\u{fffd}b', value_json: '"\u{fffd}"' },
    ])
    const account = await insertAccount(storage)
    const request = { ...requestOf(account, 1), error_code: 'a\0b' }
    expect(await storage.post({ accountId: account, request, entry: null })).toMatchObject({ kind: 'posted' })
    const row = await storage.db.selectFrom('requests').select('error_code').executeTakeFirst()
    expect(row).toEqual({ error_code: 'a\u{fffd}b' })
  })

  test('a model without weights can not be enabled, whoever tries', async () => {
    const model = {
      id: 'm',
      name: 'm',
      owned_by: 'x',
      modalities_json: '{}',
      capabilities_json: '[]',
      endpoints_json: '[]',
      enabled: 1 as const,
      deprecated: 0 as const,
      created_at: 1,
      description: null,
      context_window: null,
      max_output_tokens: null,
      weights_json: null,
    }
    await expect(storage.commit([{ query: storage.db.insertInto('models').values(model) }])).rejects.toThrow()
  })

  test('all reads of a snapshot see one moment, while others write', async () => {
    await storage.commit([setting('a')])
    await storage.snapshot(async db => {
      const count = () => db.selectFrom('settings').select('name').execute()
      expect(await count()).toHaveLength(1)
      await storage.commit([setting('b')])
      expect(await count()).toHaveLength(1)
    })
    expect(await names()).toEqual(['a', 'b'])
  })

  test('a long report does not hold up short reads and postings', async () => {
    const account = await insertAccount(storage)
    // Counts to some millions: more than a second of work for the engine.
    const long = sql<{
      n: number
    }>`with recursive c(n) as (select 1 union all select n + 1 from c where n < 8000000)
      select count(*) as n from c`.execute(storage.reports)
    let reportEnded = false
    void long.then(() => {
      reportEnded = true
    })
    for (let i = 0; i < 50; i++) {
      await charge(storage, account, 1)
      await names()
    }
    expect(reportEnded).toBe(false)
    await long
  })

  test('what was submitted before the store is closed is committed', async () => {
    const account = await insertAccount(storage)
    const charges = Array.from({ length: 200 }, () => charge(storage, account, 1))
    const closing = storage.close()
    expect((await Promise.all(charges)).every(outcome => outcome.kind === 'posted')).toBe(true)
    await closing
  })

  test('a store that is closed says so, instead of answering that nothing is there', async () => {
    await storage.close()
    await expect(storage.ping()).rejects.toThrow(StorageUnavailable)
    await expect(names()).rejects.toThrow(StorageUnavailable)
    await expect(storage.commit([setting('a')])).rejects.toThrow(StorageUnavailable)
  })
})
