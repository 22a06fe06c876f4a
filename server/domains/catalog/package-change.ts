import { microsFromCredits } from '#lib/money.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { PackageRow } from '#storage/tables.ts'
import type { PackagePatch } from './packages.ts'

/** Above it a reply could no longer show every micro-credit. */
const LARGEST_PACKAGE_CREDITS = 1_000_000_000

/** A package's row with a patch laid over it; refused with the problem, which names the field. */
export function changePackageRow(row: PackageRow, patch: PackagePatch): Outcome<PackageRow, string> {
  const changed = { ...row }
  if (patch.name !== undefined) changed.name = patch.name
  if (patch.on_sale !== undefined) changed.on_sale = patch.on_sale ? 1 : 0
  if (patch.position !== undefined) changed.position = patch.position
  if (patch.price !== undefined) {
    changed.price_minor = patch.price.amount
    changed.currency = patch.price.currency
  }
  if (patch.credits !== undefined) {
    if (patch.credits > LARGEST_PACKAGE_CREDITS) {
      return refused(`credits: must be at most ${LARGEST_PACKAGE_CREDITS}`)
    }
    const credits = microsFromCredits(patch.credits)
    if (credits === null) return refused('credits: must have at most six decimals')
    changed.credits_micros = credits
  }
  return accepted(changed)
}
