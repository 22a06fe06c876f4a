import type { z } from 'zod'
import type { ProviderTimeouts, provider } from '#contract/catalog.ts'
import type { EndpointName } from '#contract/usage.ts'
import { rfc3339 } from '#lib/clock.ts'
import type { ProviderRow } from '#storage/tables.ts'
import { maskHeaders } from './provider-headers.ts'
import type { ProviderSecrets } from './provider-secrets.ts'

export type ProviderRecord = z.infer<typeof provider>

const DEFAULT_TIMEOUTS: ProviderTimeouts = { connect_ms: 10_000, first_byte_ms: 300_000, idle_ms: 120_000 }

/** How long a provider may take; what its row leaves open follows the defaults. */
export function timeoutsOf(row: ProviderRow): ProviderTimeouts {
  return {
    connect_ms: row.connect_timeout_ms ?? DEFAULT_TIMEOUTS.connect_ms,
    first_byte_ms: row.first_byte_timeout_ms ?? DEFAULT_TIMEOUTS.first_byte_ms,
    idle_ms: row.idle_timeout_ms ?? DEFAULT_TIMEOUTS.idle_ms,
  }
}

/** What its server serves itself; null: all that its kind does. */
export function endpointsOf({ endpoints_json: json }: ProviderRow): EndpointName[] | null {
  // Written by this domain alone, from a checked list.
  return json === null ? null : (JSON.parse(json) as EndpointName[])
}

/** A provider as replies and the audit log show it: without its credential, secret headers masked. */
export function toProviderRecord(row: ProviderRow, secrets: ProviderSecrets): ProviderRecord {
  return {
    id: row.id,
    object: 'provider',
    name: row.name,
    kind: row.kind,
    base_url: row.base_url,
    has_credential: row.credential_ciphertext !== null,
    further_credentials: (secrets.openFurther(row) ?? []).map(({ name }) => ({ name })),
    // Headers that no longer open can't be shown; the log names the provider when the catalogue is loaded.
    headers: maskHeaders(secrets.open({ ...row, credential_ciphertext: null })?.headers ?? {}),
    timeouts: timeoutsOf(row),
    endpoints: endpointsOf(row),
    enabled: row.enabled === 1,
    created_at: rfc3339(row.created_at),
  }
}
