import { type ExpressionBuilder, sql } from 'kysely'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import { type Micros, micros, ZERO_MICROS } from '#lib/money.ts'
import type { CreditLotRow } from '#storage/sales-tables.ts'
import type { PostingOutcome, Statement, Storage } from '#storage/storage.ts'
import type { Tables } from '#storage/tables.ts'
import { type Log, loggableError } from '#telemetry/log.ts'
import { amountAtEnd, remainingOfLots } from './credit-lots.ts'
import { findBalance } from './find-balance.ts'
import type { Ledger } from './ledger.ts'

export type ExpiringGrant = {
  readonly accountId: string
  readonly amountMicros: Micros
  readonly note: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
  readonly entryId?: string
  readonly also?: readonly Statement[]
}

export type ExpiringCredits = {
  /** Grants credits that end. */
  grant(grant: ExpiringGrant): Promise<PostingOutcome>
  /** Puts the end of every lot that is due on the ledger, each exactly once, whichever node looks. */
  expireDue(): Promise<void>
  /** What of an account's credits will end, soonest first. */
  listLeft(accountId: string): Promise<{ readonly leftMicros: Micros; readonly expiresAt: number }[]>
}

export type ExpiringCreditsParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly ledger: Pick<Ledger, 'change'>
  readonly log: Log
}

const DUE_AT_ONCE = 500

export function createExpiringCredits(parts: ExpiringCreditsParts): ExpiringCredits {
  const { storage, clock, ledger, log } = parts
  return {
    grant: ({ accountId, amountMicros, note, expiresAt, also = [], entryId }) => {
      const id = entryId ?? newId('led', clock.now())
      const lot = insertLot(storage, { id, accountId, amountMicros, expiresAt, now: clock.now() })
      return ledger.change({
        accountId,
        kind: 'grant',
        amountMicros,
        note,
        entryId: id,
        also: [lot, ...also],
      })
    },
    expireDue: async () => {
      const due = await storage.db
        .selectFrom('credit_lots')
        .selectAll()
        .where('expired_at', 'is', null)
        .where('expires_at', '<=', clock.now())
        .orderBy('expires_at')
        .limit(DUE_AT_ONCE)
        .execute()
      for (const lot of due) {
        await expire(parts, lot).catch((error: unknown) => {
          log.warn(
            { account_id: lot.account_id, error: loggableError(error) },
            'credits could not be ended yet',
          )
        })
      }
    },
    listLeft: async accountId => {
      const [lots, balance] = await Promise.all([
        readLots(storage, accountId),
        findBalance(storage, accountId),
      ])
      const remaining = remainingOfLots(lots, balance?.usedMicros ?? ZERO_MICROS)
      return lots
        .flatMap(lot => {
          const leftMicros = remaining.get(lot.id) ?? ZERO_MICROS
          return leftMicros > 0n ? [{ leftMicros, expiresAt: lot.expires_at }] : []
        })
        .sort((a, b) => a.expiresAt - b.expiresAt)
    },
  }
}

async function readLots({ db }: Storage, accountId: string): Promise<CreditLotRow[]> {
  return await db.selectFrom('credit_lots').selectAll().where('account_id', '=', accountId).execute()
}

type NewLot = {
  readonly id: string
  readonly accountId: string
  readonly amountMicros: Micros
  readonly expiresAt: number
  readonly now: number
}

/** The marks are read from the account inside the posting's own transaction: nothing can come between. */
function insertLot({ db }: Storage, lot: NewLot): Statement {
  const query = db
    .insertInto('credit_lots')
    .columns([
      'id',
      'account_id',
      'amount_micros',
      'used_before_micros',
      'usable_micros',
      'expires_at',
      'created_at',
    ])
    .expression(
      db
        .selectFrom('accounts')
        .select(eb => [
          eb.val(lot.id).as('id'),
          'id as account_id',
          sql<Micros>`cast(${lot.amountMicros} as bigint)`.as('amount_micros'),
          'used_micros as used_before_micros',
          usableOf(eb, lot.amountMicros).as('usable_micros'),
          sql<number>`cast(${lot.expiresAt} as bigint)`.as('expires_at'),
          sql<number>`cast(${lot.now} as bigint)`.as('created_at'),
        ])
        .where('id', '=', lot.accountId),
    )
  return { query, expectRows: 1 }
}

/** What is left of a grant after it has paid a debt. */
function usableOf(eb: ExpressionBuilder<Tables, 'accounts'>, amountMicros: Micros) {
  const balance = eb('allocated_micros', '-', eb.ref('used_micros'))
  return eb
    .case()
    .when(balance, '<=', ZERO_MICROS)
    .then(sql<Micros>`cast(0 as bigint)`)
    .when(balance, '<', amountMicros)
    .then(balance)
    .else(sql<Micros>`cast(${amountMicros} as bigint)`)
    .end()
}

/** What is used from now on was used after the end, and no longer of this lot. */
async function expire({ storage, clock, ledger }: ExpiringCreditsParts, lot: CreditLotRow): Promise<void> {
  const lots = await readLots(storage, lot.account_id)
  const balance = await findBalance(storage, lot.account_id)
  if (!balance) throw new Error(`The account of credits ${lot.id} is missing`)
  const { allocatedMicros, usedMicros } = balance
  const remaining = remainingOfLots(lots, usedMicros).get(lot.id) ?? ZERO_MICROS
  const amount = amountAtEnd(remaining, allocatedMicros - usedMicros)
  const end: Statement = {
    query: storage.db
      .updateTable('credit_lots')
      .set({ expired_at: clock.now(), used_at_expiry_micros: usedMicros, expired_micros: amount })
      .where('id', '=', lot.id)
      .where('expired_at', 'is', null),
    expectRows: 1,
  }
  if (amount === 0n) {
    await storage.commit([end])
    return
  }
  await ledger.change({
    accountId: lot.account_id,
    kind: 'adjustment',
    amountMicros: micros(-amount),
    note: `Unused credits of grant ${lot.id} expired`,
    also: [end],
  })
}
