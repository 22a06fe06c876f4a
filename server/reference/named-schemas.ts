/** The contract's schemas under the names that they have in the document: `apiKey` is `ApiKey`. */
import { z } from 'zod'
import * as accounts from '#contract/accounts.ts'
import * as administrators from '#contract/administrators.ts'
import * as catalog from '#contract/catalog.ts'
import * as configuration from '#contract/configuration.ts'
import * as errors from '#contract/errors.ts'
import * as generation from '#contract/generation.ts'
import * as keys from '#contract/keys.ts'
import * as ledger from '#contract/ledger.ts'
import * as orders from '#contract/orders.ts'
import * as promoCodes from '#contract/promo-codes.ts'
import * as sessions from '#contract/sessions.ts'
import * as settings from '#contract/settings.ts'
import * as usage from '#contract/usage.ts'
import * as usageReport from '#contract/usage-report.ts'

const MODULES = [
  accounts,
  administrators,
  catalog,
  configuration,
  errors,
  generation,
  keys,
  ledger,
  orders,
  promoCodes,
  sessions,
  settings,
  usage,
  usageReport,
]

/** Objects alone are worth a name: of everything smaller the reader wants to see what it is, in its place. */
function isNamed(value: unknown): value is z.ZodObject {
  return value instanceof z.ZodObject
}

function toName(exportName: string): string {
  return exportName.charAt(0).toUpperCase() + exportName.slice(1)
}

export const NAMED_SCHEMAS: ReadonlyMap<string, z.ZodObject> = new Map(
  MODULES.flatMap(module => Object.entries(module))
    .filter((entry): entry is [string, z.ZodObject] => isNamed(entry[1]))
    .map(([name, schema]) => [toName(name), schema]),
)
