import type { RequestReceipt } from '#contract/usage.ts'
import { toDecimalText, WEIGHT_DECIMALS } from '#domains/billing/decimal-weight.ts'
import { recordedUsage } from '#domains/billing/recorded-usage.ts'
import { type UnitCharge, unitChargeFromJson, weighUnits } from '#domains/billing/unit-weights.ts'
import { pinWeights, weighedTokens } from '#domains/billing/weights.ts'
import { weightsFromJson } from '#domains/billing/weights-text.ts'
import { rfc3339 } from '#lib/clock.ts'
import { creditsFromMicros, decimalOfScaled, MICRO_DECIMALS } from '#lib/money.ts'
import type { Storage } from '#storage/storage.ts'
import type { RequestRow } from '#storage/tables.ts'

/** A token at a weight of one unit costs so small a part of a credit. */
const LINE_DECIMALS = WEIGHT_DECIMALS + MICRO_DECIMALS

const MILLION = 1_000_000

type Line = {
  readonly item: RequestReceipt['lines'][number]['item']
  readonly count: number
  readonly weight: bigint
  readonly per: number
  /** What it comes to, in parts of a credit of which `LINE_DECIMALS` tells the size. */
  readonly parts: bigint
}

function unitLine(unit: UnitCharge): Line {
  const { name, count, weight } = unit
  return { item: name, count, weight, per: name === 'character' ? MILLION : 1, parts: weighUnits(unit) }
}

/** How a request's charge came about, line by line; null when it was not charged. */
export async function readReceipt(
  { reports }: Pick<Storage, 'reports'>,
  row: RequestRow,
): Promise<RequestReceipt | null> {
  const entry = await reports
    .selectFrom('ledger_entries')
    .select(['id', 'balance_after_micros', 'created_at'])
    .where('request_id', '=', row.id)
    .executeTakeFirst()
  const weights = row.weights_json === null ? null : pinWeights(weightsFromJson(row.weights_json))
  if (!entry || weights === null) return null
  const tokens = weighedTokens(recordedUsage(row), weights).map(
    (line): Line => ({ ...line, per: MILLION, parts: BigInt(line.count) * line.weight }),
  )
  const unit = unitChargeFromJson(row.unit_json)
  const lines = unit === null ? tokens : [...tokens, unitLine(unit)]
  const sum = lines.reduce((total, line) => total + line.parts, 0n)
  return {
    lines: lines.map(({ item, count, weight, per, parts }) => ({
      item,
      count,
      weight: toDecimalText(weight),
      per,
      credits: decimalOfScaled(parts, LINE_DECIMALS),
    })),
    sum: decimalOfScaled(sum, LINE_DECIMALS),
    charged: decimalOfScaled(row.charge_micros, MICRO_DECIMALS),
    usage_source: row.usage_source,
    ledger_entry: {
      id: entry.id,
      balance_after: creditsFromMicros(entry.balance_after_micros),
      created_at: rfc3339(entry.created_at),
    },
  }
}
