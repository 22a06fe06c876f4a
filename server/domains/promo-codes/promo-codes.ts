import type { z } from 'zod'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { createPromoCode, patchPromoCode } from '#contract/promo-codes.ts'
import type { Actor, Audit } from '#domains/audit/audit.ts'
import { RACED, stillIs, untilUnraced } from '#domains/audit/careful-update.ts'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import { type Micros, micros, microsFromCredits } from '#lib/money.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { mapPage, type Page, type PageRequest } from '#lib/page.ts'
import { readNewest } from '#storage/read-newest.ts'
import type { PromoCodeRow } from '#storage/sales-tables.ts'
import type { Storage } from '#storage/storage.ts'
import { type PromoCodeRecord, toPromoCodeRecord } from './promo-code-record.ts'

export type NewPromoCode = z.infer<typeof createPromoCode>
export type PromoCodePatch = z.infer<typeof patchPromoCode>

/** The codes that operators give out. What a code is worth never changes; a redeemed one stays on record. */
export type PromoCodes = {
  /** 400 an amount that can't be granted, 409 the code exists. */
  create(given: NewPromoCode, actor: Actor): Promise<Outcome<PromoCodeRecord, ServiceError>>
  /** 400 fewer uses in all than there were, 404. */
  patch(id: string, patch: PromoCodePatch, actor: Actor): Promise<Outcome<PromoCodeRecord, ServiceError>>
  /** Newest first. */
  list(page: PageRequest): Promise<Page<PromoCodeRecord>>
}

export type PromoCodesParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly audit: Pick<Audit, 'entry'>
}

const MOST_MICROS = micros(1_000_000_000n * 1_000_000n)

export function createPromoCodes({ storage, clock, audit }: PromoCodesParts): PromoCodes {
  const { db } = storage

  async function patchOnce(
    id: string,
    patch: PromoCodePatch,
    actor: Actor,
  ): Promise<Outcome<PromoCodeRecord, ServiceError> | typeof RACED> {
    const before = await db.selectFrom('promo_codes').selectAll().where('id', '=', id).executeTakeFirst()
    if (!before) return refused(refusals.notFound('No such code'))
    const after = { ...before, ...toColumns(patch) }
    if (after.max_uses !== null && after.max_uses < before.uses) {
      return refused(refusals.invalid(`max_uses: the code was used ${before.uses} times already`))
    }
    const record = toPromoCodeRecord(after)
    const outcome = await storage.commit([
      {
        query: db
          .updateTable('promo_codes')
          .set(toColumns(patch))
          .where('id', '=', id)
          .where(stillIs(before)),
        expectRows: 1,
      },
      audit.entry({
        actor,
        action: 'promo_code.update',
        target: { type: 'promo_code', id },
        before: toPromoCodeRecord(before),
        after: record,
      }),
    ])
    return outcome.kind === 'committed' ? accepted(record) : RACED
  }

  return {
    create: async (given, actor) => {
      const amount = readAmount(given.credits)
      if (!amount.ok) return amount
      const now = clock.now()
      const row: PromoCodeRow = {
        id: newId('pro', now),
        code: given.code,
        credits_micros: amount.value,
        max_uses: null,
        max_uses_per_account: given.max_uses_per_account,
        uses: 0,
        valid_days: given.valid_days ?? null,
        expires_at: null,
        enabled: 1,
        note: '',
        created_at: now,
        ...toColumns(given),
      }
      const record = toPromoCodeRecord(row)
      const outcome = await storage.commit([
        { query: db.insertInto('promo_codes').values(row), expectRows: 1 },
        audit.entry({
          actor,
          action: 'promo_code.create',
          target: { type: 'promo_code', id: row.id },
          after: record,
        }),
      ])
      if (outcome.kind === 'duplicate') return refused(refusals.conflict('There is such a code already'))
      if (outcome.kind !== 'committed') throw new Error(`A new code could not be stored: ${outcome.kind}`)
      return accepted(record)
    },
    patch: (id, patch, actor) => {
      if (Object.keys(toColumns(patch)).length === 0) {
        return Promise.resolve(refused(refusals.invalid('The body names nothing to change')))
      }
      return untilUnraced(() => patchOnce(id, patch, actor))
    },
    list: async page =>
      mapPage(await readNewest(db.selectFrom('promo_codes').selectAll(), page), toPromoCodeRecord),
  }
}

function readAmount(credits: number): Outcome<Micros, ServiceError> {
  const amount = microsFromCredits(credits)
  if (amount === null) return refused(refusals.invalid('credits: must have at most six decimals'))
  if (amount <= 0n || amount > MOST_MICROS) {
    return refused(refusals.invalid('credits: must be above 0 and at most 1000000000'))
  }
  return accepted(amount)
}

function toColumns({ expires_at, max_uses, enabled, note }: PromoCodePatch): Partial<PromoCodeRow> {
  return {
    ...(expires_at === undefined ? {} : { expires_at: expires_at === null ? null : Date.parse(expires_at) }),
    ...(max_uses === undefined ? {} : { max_uses }),
    ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0 }),
    ...(note === undefined ? {} : { note }),
  }
}
