import { hash } from 'node:crypto'
import type { ModelRouteRow, ProviderRow } from '#storage/tables.ts'
import type { Log } from '#telemetry/log.ts'
import { endpointsOf, timeoutsOf } from './provider-record.ts'
import type { ProviderSecrets } from './provider-secrets.ts'
import type { CatalogProvider, CatalogRoute } from './snapshot.ts'

/** A provider with each of its credentials; never empty. */
type CallableProvider = readonly [CatalogProvider, ...CatalogProvider[]]

/** A provider as it is called with its first credential; null when its stored secrets don't open. */
export function toCatalogProvider(row: ProviderRow, secrets: ProviderSecrets): CatalogProvider | null {
  return openProvider(row, secrets)?.[0] ?? null
}

function openProvider(row: ProviderRow, secrets: ProviderSecrets): CallableProvider | null {
  const opened = secrets.open(row)
  const further = secrets.openFurther(row)
  if (opened === null || further === null) return null
  const endpoints = endpointsOf(row)
  const common = {
    id: row.id,
    name: row.name,
    kind: row.kind,
    baseUrl: row.base_url,
    headers: opened.headers,
    timeouts: timeoutsOf(row),
    endpoints: endpoints && new Set<string>(endpoints),
  }
  const first = {
    ...common,
    credential: opened.credential,
    credentialId: credentialIdOf(row, null),
    credentialName: null,
  }
  const [second, ...others] = further.map(({ name, credential }) => ({
    ...common,
    credential,
    credentialId: credentialIdOf(row, name),
    credentialName: name,
  }))
  if (!second) return [first]
  // Where further ones are all that there are, nobody calls without one.
  return opened.credential === null ? [second, ...others] : [first, second, ...others]
}

/** Told to other nodes and kept in memory, so it is nothing from which the credential could be had. */
function credentialIdOf(row: ProviderRow, furtherName: string | null): string {
  const { id, base_url, headers_ciphertext, credential_ciphertext, further_credentials_ciphertext } = row
  const sealed = furtherName === null ? credential_ciphertext : further_credentials_ciphertext
  const known = JSON.stringify([base_url, headers_ciphertext, sealed, furtherName])
  return `${id}:${hash('sha256', known, 'base64url').slice(0, 16)}`
}

/** All providers that are enabled, by id. Those whose secrets don't open are left out and logged. */
export function openProviders(
  rows: readonly ProviderRow[],
  secrets: ProviderSecrets,
  log: Log,
): ReadonlyMap<string, CallableProvider> {
  const providers = new Map<string, CallableProvider>()
  for (const row of rows) {
    if (row.enabled !== 1) continue
    const provider = openProvider(row, secrets)
    if (provider) providers.set(row.id, provider)
    else {
      log.error(
        { provider: row.name, provider_id: row.id },
        'the stored credential of a provider can not be opened with the secret of this service; its routes are left out',
      )
    }
  }
  return providers
}

/** A route with each of its provider's credentials, which share its weight; nothing where there is no such provider. */
export function toRoutes(
  row: ModelRouteRow,
  providers: ReadonlyMap<string, CallableProvider>,
): CatalogRoute[] {
  const credentials = providers.get(row.provider_id) ?? []
  const { id: routeId, upstream_model: upstreamModel, priority } = row
  const cost = row.cost === null ? null : Number(row.cost)
  const weight = row.weight / credentials.length
  return credentials.map((provider, index) => ({
    id: index === 0 ? routeId : `${routeId}/${provider.credentialId}`,
    routeId,
    provider,
    upstreamModel,
    priority,
    weight,
    cost,
  }))
}
