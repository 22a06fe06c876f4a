/** How a group travels to the writer thread and back: charges, which nearly all of it is, as few and plain values. */
import { type Micros, micros } from '#lib/money.ts'
import { REQUEST_COLUMNS } from './posting.ts'
import type { GroupOutcome, PostingUnit, TravellingUnit, UnitOutcome, WriteUnit } from './protocol.ts'

const REQUEST_VALUES = REQUEST_COLUMNS.length
const ACCOUNT_ID = REQUEST_COLUMNS.indexOf('account_id')
const REQUEST_ID = REQUEST_COLUMNS.indexOf('id')
const CHARGE_MICROS = REQUEST_COLUMNS.indexOf('charge_micros')
/** Beside the record's own values: the id of the entry, and when it was made. All else follows from the record. */
const CHARGE_VALUES = REQUEST_VALUES + 2

type Values = readonly unknown[]

/**
 * Units for the writer thread, charges that come one after the other put together. What is the same in one as in that
 * before it travels as `undefined`: names and weights need no room then, and are not made again on the other side.
 */
export function packUnits(units: readonly WriteUnit[]): TravellingUnit[] {
  const packed: TravellingUnit[] = []
  let charges: unknown[] | null = null
  let before: Values = []
  for (const unit of units) {
    if (unit.kind !== 'posting' || !isCharge(unit)) {
      packed.push(unit)
      charges = null
      continue
    }
    if (charges === null) {
      charges = []
      before = []
      packed.push({ kind: 'charges', values: charges })
    }
    const { requestValues, entry } = unit
    for (let at = 0; at < REQUEST_VALUES; at++) {
      const value = requestValues[at]
      charges.push(value === before[at] ? undefined : value)
    }
    charges.push(entry[0], entry[6])
    before = requestValues
  }
  return packed
}

type Charge = PostingUnit & {
  readonly requestValues: NonNullable<PostingUnit['requestValues']>
  readonly entry: NonNullable<PostingUnit['entry']>
}

/** Whether a posting is a request with its charge and nothing else. */
function isCharge(unit: PostingUnit): unit is Charge {
  const { accountId, requestValues, entry, also } = unit
  if (requestValues === null || entry === null || also.length > 0) return false
  const [, kind, amount, requestId, orderId, note] = entry
  return (
    kind === 'charge' &&
    requestId === requestValues[REQUEST_ID] &&
    accountId === requestValues[ACCOUNT_ID] &&
    // The column holds the amount of the charge, whose entry takes it off the balance.
    amount === -(requestValues[CHARGE_MICROS] as Micros) &&
    orderId === null &&
    note === ''
  )
}

/** The units as they were before they travelled. */
export function unpackUnits(units: readonly TravellingUnit[]): WriteUnit[] {
  return units.flatMap(unit => (unit.kind === 'charges' ? unpackCharges(unit.values) : [unit]))
}

function unpackCharges(values: Values): PostingUnit[] {
  const charges: PostingUnit[] = []
  let before: Values = []
  for (let start = 0; start < values.length; start += CHARGE_VALUES) {
    const requestValues = values.slice(start, start + REQUEST_VALUES)
    for (let at = 0; at < REQUEST_VALUES; at++) {
      if (requestValues[at] === undefined) requestValues[at] = before[at] ?? null
    }
    before = requestValues
    charges.push(unpackCharge(requestValues, values.slice(start + REQUEST_VALUES, start + CHARGE_VALUES)))
  }
  return charges
}

function unpackCharge(requestValues: Values, entryValues: Values): PostingUnit {
  // `packUnits` has put each of these values in its place.
  const requestId = requestValues[REQUEST_ID] as string
  const amount = -(requestValues[CHARGE_MICROS] as Micros) as Micros
  const [entryId, madeAt] = entryValues as [string, number]
  return {
    kind: 'posting',
    accountId: requestValues[ACCOUNT_ID] as string,
    requestValues,
    entry: [entryId, 'charge', amount, requestId, null, '', madeAt],
    also: [],
  }
}

const BALANCE_VALUES = 4

/** Outcomes for the event loop: where everything was posted, the balances say it all. */
export function packOutcomes(outcomes: readonly UnitOutcome[]): GroupOutcome {
  const balances = new BigInt64Array(outcomes.length * BALANCE_VALUES)
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.kind !== 'posted') return { kind: 'each', outcomes }
    const [allocated, used, lastAllocation, sequence] = outcome.balance
    const start = index * BALANCE_VALUES
    balances[start] = allocated
    balances[start + 1] = used
    balances[start + 2] = lastAllocation
    balances[start + 3] = BigInt(sequence)
  }
  return { kind: 'all-posted', balances }
}

/** The outcomes as they were before they travelled. */
export function unpackOutcomes(group: GroupOutcome): readonly UnitOutcome[] {
  if (group.kind === 'each') return group.outcomes
  const { balances } = group
  const at = (place: number): Micros => micros(balances[place] ?? 0n)
  const outcomes: UnitOutcome[] = []
  for (let start = 0; start < balances.length; start += BALANCE_VALUES) {
    const balance = [at(start), at(start + 1), at(start + 2), Number(at(start + 3))] as const
    outcomes.push({ kind: 'posted', balance })
  }
  return outcomes
}
