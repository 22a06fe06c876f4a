/** Whatever is posted, in whatever order and however much at once: the books add up. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLedger, type Ledger } from '#domains/billing/ledger.ts'
import { verifyLedger } from '#domains/billing/verify-ledger.ts'
import { systemClock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import { micros, ZERO_MICROS } from '#lib/money.ts'
import type { Balance, PostingOutcome, Storage } from '#storage/storage.ts'
import type { AccountRow, RequestRow } from '#storage/tables.ts'
import { expectBooksToAddUp, readBooks } from '#test/support/books.ts'
import { storesOf } from '#test/support/stores.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>
let storage: Storage

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  storage = await (await storesOf(folder.path)).open()
})
afterAll(async () => {
  await storage.close()
  await folder.remove()
})

const ACCOUNTS = 3
/** Fewer ids than requests, so that many of them are said twice. */
const REQUEST_IDS = 8
const MOST = 10n ** 15n

type Step =
  | {
      readonly kind: 'grant' | 'adjustment' | 'refund'
      readonly account: number
      readonly amount: bigint
    }
  | {
      readonly kind: 'request'
      readonly account: number
      readonly id: number
      readonly charge: bigint
      readonly charged: boolean
    }

/** One beyond the accounts that there are: postings to it must leave no trace. */
const account = fc.integer({ min: 0, max: ACCOUNTS })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    // A purchase belongs to an order: those are in `test/sales`.
    kind: fc.constant('grant' as const),
    account,
    amount: fc.bigInt({ min: 1n, max: MOST }),
  }),
  fc.record({
    kind: fc.constantFrom('adjustment' as const, 'refund' as const),
    account,
    amount: fc.bigInt({ min: -MOST, max: MOST }).filter(amount => amount !== 0n),
  }),
  fc.record({
    kind: fc.constant('request' as const),
    account,
    id: fc.integer({ min: 0, max: REQUEST_IDS - 1 }),
    charge: fc.bigInt({ min: 0n, max: MOST }),
    charged: fc.boolean(),
  }),
)
/** Steps of one inner list are all under way at once. */
const course = fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 })

function accountRow(id: string): AccountRow {
  return {
    id,
    name: 'An account',
    owner_id: 'usr_1',
    status: 'active',
    allocated_micros: ZERO_MICROS,
    used_micros: ZERO_MICROS,
    last_allocation_micros: ZERO_MICROS,
    ledger_sequence: 0,
    created_at: 0,
    closed_at: null,
    closed_by: null,
  }
}

/** A record whose charge is what its tokens and weights come to: a millionth for each token. */
function requestRow(id: string, accountId: string, step: Step & { kind: 'request' }): RequestRow {
  return {
    id,
    account_id: accountId,
    key_id: 'key_1',
    model: 'model',
    endpoint: 'chat',
    stream: 0,
    provider: 'upstream',
    upstream_model: 'upstream-model',
    status: step.charged ? 'succeeded' : 'failed',
    http_status: step.charged ? 200 : 502,
    input_tokens: Number(step.charge),
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    cache_write_1h_tokens: 0,
    output_tokens: 0,
    unit_json: null,
    weights_json: '{"input":"1","cache_read":"1","cache_write":"1","output":"1"}',
    charge_micros: micros(step.charge),
    usage_source: 'upstream',
    latency_ms: 1,
    first_token_ms: null,
    error_type: null,
    error_code: null,
    client_request_id: null,
    anomalous_usage_json: null,
    attempts_json: null,
    created_at: 1,
  }
}

type Done = { readonly step: Step; readonly outcome: PostingOutcome }

class Books {
  readonly accountIds = Array.from({ length: ACCOUNTS }, () => newId('acc'))
  readonly requestIds = Array.from({ length: REQUEST_IDS }, () => newId('req'))
  readonly missingId = newId('acc')
  readonly told = new Map<string, Balance>()
  readonly ledger: Ledger = createLedger({ storage, clock: systemClock })

  async open(): Promise<void> {
    const query = storage.db.insertInto('accounts').values(this.accountIds.map(accountRow))
    expect((await storage.commit([{ query }])).kind).toBe('committed')
    this.ledger.onBalance((accountId, balance) => {
      const known = this.told.get(accountId)
      if (!known || balance.sequence > known.sequence) this.told.set(accountId, balance)
    })
  }

  async run(step: Step): Promise<Done> {
    const accountId = this.accountIds[step.account] ?? this.missingId
    if (step.kind === 'request') {
      const row = requestRow(this.requestIds[step.id] ?? '', accountId, step)
      return { step, outcome: await this.ledger.record(row, { charged: step.charged }) }
    }
    const change = { accountId, kind: step.kind, amountMicros: micros(step.amount), note: '' }
    return { step, outcome: await this.ledger.change(change) }
  }
}

/** What went through, told from the outcomes alone, is what the account must hold. */
function expectedTotals(done: readonly Done[], at: number) {
  const posted = done.filter(({ step, outcome }) => step.account === at && outcome.kind === 'posted')
  let allocated = 0n
  let used = 0n
  let entries = 0
  for (const { step } of posted) {
    if (step.kind !== 'request') allocated += step.amount
    else if (step.charged) used += step.charge
    if (step.kind !== 'request' || step.charged) entries++
  }
  return { allocated, used, entries }
}

/** A request is posted once, and only when nothing else was posted under its id. */
function expectOnePostingEach(done: readonly Done[]): void {
  for (let id = 0; id < REQUEST_IDS; id++) {
    const tries = done.filter(({ step }) => step.kind === 'request' && step.id === id)
    const reachable = tries.filter(({ step }) => step.account < ACCOUNTS)
    const kinds = reachable.map(({ outcome }) => outcome.kind)
    expect(kinds.filter(kind => kind === 'posted')).toHaveLength(reachable.length > 0 ? 1 : 0)
    expect(kinds.filter(kind => kind === 'already-posted')).toHaveLength(Math.max(0, reachable.length - 1))
  }
}

/** Nothing reaches an account that does not exist; a request known by then is said to be on record. */
function expectNothingOnMissing(done: readonly Done[]): void {
  for (const { step, outcome } of done.filter(({ step: { account: at } }) => at === ACCOUNTS)) {
    const allowed = step.kind === 'request' ? ['no-account', 'already-posted'] : ['no-account']
    expect(allowed).toContain(outcome.kind)
  }
}

async function expectAccount(books: Books, done: readonly Done[], at: number): Promise<void> {
  const accountId = books.accountIds[at] ?? ''
  const kept = await readBooks(storage, accountId)
  const { allocated, used, entries } = expectedTotals(done, at)
  expectBooksToAddUp(kept)
  expect(kept.account).toMatchObject({ allocated_micros: allocated, used_micros: used })
  expect(kept.entries).toHaveLength(entries)
  const allocations = kept.entries.filter(({ kind }) => kind === 'grant')
  expect(kept.account.last_allocation_micros).toBe(allocations.at(-1)?.amount_micros ?? 0n)
  if (entries === 0) return
  expect(books.told.get(accountId)).toEqual({
    allocatedMicros: allocated,
    usedMicros: used,
    lastAllocationMicros: kept.account.last_allocation_micros,
    sequence: entries,
  })
  for (const { step, outcome } of done) {
    if (step.account !== at || outcome.kind !== 'posted' || outcome.entry === null) continue
    expect(kept.entries[outcome.entry.sequence - 1]).toEqual(outcome.entry)
  }
}

test('balances, chain and charges agree after any course of postings', async () => {
  await fc.assert(
    fc.asyncProperty(course, async groups => {
      const books = new Books()
      await books.open()
      const done: Done[] = []
      for (const group of groups) done.push(...(await Promise.all(group.map(step => books.run(step)))))
      expectOnePostingEach(done)
      expectNothingOnMissing(done)
      for (let at = 0; at < ACCOUNTS; at++) await expectAccount(books, done, at)
      const missing = await storage.db
        .selectFrom('ledger_entries')
        .select('id')
        .where('account_id', '=', books.missingId)
        .execute()
      expect(missing).toEqual([])
    }),
    { numRuns: 150 },
  )
  expect(await storage.snapshot(verifyLedger)).toMatchObject({ ok: true })
}, 60_000)

test('a hundred postings of one request at once are one charge', async () => {
  const books = new Books()
  await books.open()
  const step = { kind: 'request', account: 0, id: 0, charge: 7n, charged: true } as const
  const done = await Promise.all(Array.from({ length: 100 }, () => books.run(step)))
  expect(done.filter(({ outcome }) => outcome.kind === 'posted')).toHaveLength(1)
  await expectAccount(books, done, 0)
})

test('a request that is on record without a charge is never charged later', async () => {
  const books = new Books()
  await books.open()
  const step = { kind: 'request', account: 0, id: 0, charge: 7n, charged: false } as const
  const done = [await books.run(step), await books.run({ ...step, charged: true })]
  expect(done.map(({ outcome }) => outcome.kind)).toEqual(['posted', 'already-posted'])
  await expectAccount(books, done, 0)
})

test.each(['update', 'delete'] as const)('an entry can not be changed afterwards: %s', async how => {
  const books = new Books()
  await books.open()
  const done = [await books.run({ kind: 'grant', account: 0, amount: 5n })]
  const { db } = storage
  const query =
    how === 'update'
      ? db
          .updateTable('ledger_entries')
          .set({ amount_micros: micros(6n) })
          .where('account_id', '=', books.accountIds[0] ?? '')
      : db.deleteFrom('ledger_entries').where('account_id', '=', books.accountIds[0] ?? '')
  await expect(storage.commit([{ query }])).rejects.toThrow()
  await expectAccount(books, done, 0)
})
