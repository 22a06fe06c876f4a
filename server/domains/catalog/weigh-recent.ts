import type { ModelWeights, RequestStatus, UnitWeights } from '#contract/usage.ts'
import { recordedUsage } from '#domains/billing/recorded-usage.ts'
import { pinUnitWeights, type UnitCharge, unitChargeFromJson } from '#domains/billing/unit-weights.ts'
import { pinWeights, weigh } from '#domains/billing/weights.ts'
import type { RequestRecords } from '#domains/usage/request-records.ts'
import { type Micros, micros, ZERO_MICROS } from '#lib/money.ts'
import type { RequestRow } from '#storage/tables.ts'

/** So many tell what a change means, and are read and reckoned within a moment. */
const MOST_REQUESTS = 1_000

/** All that a model is charged by. */
export type AllWeights = { readonly weights: ModelWeights; readonly units: UnitWeights | null }

/** What failed has no charge, whatever the model weighs. */
const CHARGED = ['succeeded', 'cancelled'] as const satisfies readonly RequestStatus[]

type Search = { readonly model: string; readonly from: string }

/** The newest requests of a model from a moment on that were charged, as far as they are kept. */
export async function readRecentRequests(
  requests: Pick<RequestRecords, 'readAll'>,
  search: Search,
): Promise<readonly RequestRow[]> {
  // One by one: so of a month in which a model did nothing but fail no record is read.
  const found = await Promise.all(CHARGED.map(status => readNewest(requests, { ...search, status })))
  return found
    .flat()
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, MOST_REQUESTS)
}

async function readNewest(
  requests: Pick<RequestRecords, 'readAll'>,
  search: Search & { readonly status: RequestStatus },
): Promise<RequestRow[]> {
  const rows: RequestRow[] = []
  for await (const batch of requests.readAll(search)) {
    rows.push(...batch)
    if (rows.length >= MOST_REQUESTS) break
  }
  return rows
}

/** What these requests come to by other weights than theirs: each reckoned and rounded as it would be charged. */
export function weighRequests(rows: readonly RequestRow[], { weights, units }: AllWeights): Micros {
  const pinned = pinWeights(weights)
  if (pinned === null) throw new Error('These weights were checked')
  const pinnedUnits = pinUnitWeights(units)
  const reweigh = (charge: UnitCharge | null): UnitCharge | null => {
    const weight = charge === null ? undefined : pinnedUnits.get(charge.name)
    return charge === null || weight === undefined ? null : { ...charge, weight }
  }
  return rows.reduce(
    (sum, row) => micros(sum + weigh(recordedUsage(row), pinned, reweigh(unitChargeFromJson(row.unit_json)))),
    ZERO_MICROS,
  )
}
