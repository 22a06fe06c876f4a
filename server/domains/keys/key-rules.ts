import { refusals, type ServiceError } from '#contract/errors.ts'
import type { SpendingCap } from '#contract/keys.ts'
import { creditsFromMicros, microsFromCredits } from '#lib/money.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { ApiKeyRow } from '#storage/tables.ts'

type RuleColumns = Pick<ApiKeyRow, 'models_json' | 'spending_cap_micros' | 'spending_cap_period'>

/** What of a key is given beside its limits; what is left out is not touched, and null takes it away. */
export type GivenRules = {
  readonly models?: readonly string[] | null
  readonly spendingCap?: SpendingCap | null
}

/** The columns for rules that were given. 400 for a cap that is no whole number of micro-credits. */
export function ruleColumns({
  models,
  spendingCap,
}: GivenRules): Outcome<Partial<RuleColumns>, ServiceError> {
  const columns: Partial<RuleColumns> = {}
  if (models !== undefined)
    columns.models_json = models === null ? null : JSON.stringify([...new Set(models)])
  if (spendingCap === null) {
    columns.spending_cap_micros = null
    columns.spending_cap_period = null
  } else if (spendingCap !== undefined) {
    const micros = microsFromCredits(spendingCap.credits)
    if (micros === null) return refused(refusals.invalid('spending_cap.credits: has more than six decimals'))
    columns.spending_cap_micros = micros
    columns.spending_cap_period = spendingCap.period
  }
  return accepted(columns)
}

/** The models that a key may use; null for all. */
export function modelsOf({ models_json: json }: Pick<RuleColumns, 'models_json'>): string[] | null {
  // `ruleColumns` is the only writer of this column.
  return json === null ? null : (JSON.parse(json) as string[])
}

/** The cap as routes show it. */
export function spendingCapOf(row: Omit<RuleColumns, 'models_json'>): SpendingCap | null {
  const { spending_cap_micros: micros, spending_cap_period: period } = row
  return micros === null || period === null ? null : { credits: creditsFromMicros(micros), period }
}
