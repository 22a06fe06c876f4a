import type { Settings } from '#contract/settings.ts'
import type { ModelRecord } from '#domains/catalog/model-record.ts'
import type { Models } from '#domains/catalog/models.ts'
import type { PackageRecord } from '#domains/catalog/package-record.ts'
import type { Packages } from '#domains/catalog/packages.ts'
import type { ProviderRecord } from '#domains/catalog/provider-record.ts'
import type { Providers } from '#domains/catalog/providers.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import type { Page, PageRequest } from '#lib/page.ts'

/** The domains that a configuration file reaches. */
export type ConfigurableDomains = {
  readonly settings: SettingsRegister
  readonly providers: Providers
  readonly models: Models
  readonly packages: Packages
}

/** Everything that a configuration file could say, as it is now. */
export type CurrentItems = {
  readonly settings: Settings
  readonly providers: readonly ProviderRecord[]
  readonly models: readonly ModelRecord[]
  readonly packages: readonly PackageRecord[]
}

const PAGE_ITEMS = 100

export async function readCurrentItems(domains: ConfigurableDomains): Promise<CurrentItems> {
  const [settings, providers, models, packages] = await Promise.all([
    domains.settings.get(),
    listAll(page => domains.providers.list(page)),
    listAll(page => domains.models.list(page)),
    listAll(page => domains.packages.list(page)),
  ])
  return { settings, providers, models, packages }
}

async function listAll<Item>(list: (page: PageRequest) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = []
  let after: string | null = null
  do {
    const page: Page<Item> = await list({ limit: PAGE_ITEMS, after })
    items.push(...page.items)
    after = page.next
  } while (after !== null)
  // Lists are newest first; a file reads better in the order in which things were made.
  return items.reverse()
}
