import { isOpenaiCompatible } from '#contract/provider-kinds.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { ProviderRow } from '#storage/tables.ts'
import { readFurtherCredentials } from './further-credentials.ts'
import { findMovedSecret } from './moved-secrets.ts'
import { readCredential } from './provider-credential.ts'
import { readHeaders } from './provider-headers.ts'
import { readBaseUrl } from './provider-input.ts'
import type { ProviderSecrets } from './provider-secrets.ts'
import type { ProviderPatch } from './providers.ts'

/** A provider's row with a patch laid over it; refused with the problem, which names the field. */
export function changeProviderRow(
  row: ProviderRow,
  patch: ProviderPatch,
  secrets: ProviderSecrets,
): Outcome<ProviderRow, string> {
  const changed = { ...row }
  if (patch.name !== undefined) changed.name = patch.name
  if (patch.enabled !== undefined) changed.enabled = patch.enabled ? 1 : 0
  // A new row has no address yet.
  if (patch.base_url !== undefined || row.base_url === '') {
    const baseUrl = readBaseUrl(row.kind, patch.base_url)
    if (!baseUrl.ok) return baseUrl
    const moved = findMovedSecret(row, patch, secrets, baseUrl.value)
    if (moved !== null) return refused(moved)
    changed.base_url = baseUrl.value
  }
  if (patch.credential === null) changed.credential_ciphertext = null
  else if (patch.credential !== undefined) {
    const credential = readCredential(row.kind, patch.credential)
    if (!credential.ok) return credential
    changed.credential_ciphertext = secrets.sealCredential(row.id, credential.value)
  }
  if (patch.further_credentials !== undefined) {
    const further = readFurtherCredentials(
      row.kind,
      patch.further_credentials,
      secrets.openFurther(row) ?? [],
    )
    if (!further.ok) return further
    changed.further_credentials_ciphertext = secrets.sealFurther(row.id, further.value)
  }
  if (patch.endpoints !== undefined) {
    if (patch.endpoints !== null && !isOpenaiCompatible(row.kind)) {
      return refused(`endpoints: servers of kind ${row.kind} all serve the same`)
    }
    changed.endpoints_json = patch.endpoints && JSON.stringify([...new Set(patch.endpoints)])
  }
  if (patch.headers !== undefined) {
    const headers = readHeaders(patch.headers, currentHeaders(row, secrets))
    if (!headers.ok) return refused(headers.refusal)
    changed.headers_ciphertext = secrets.sealHeaders(row.id, headers.value)
  }
  const { connect_ms, first_byte_ms, idle_ms } = patch.timeouts ?? {}
  if (connect_ms !== undefined) changed.connect_timeout_ms = connect_ms
  if (first_byte_ms !== undefined) changed.first_byte_timeout_ms = first_byte_ms
  if (idle_ms !== undefined) changed.idle_timeout_ms = idle_ms
  return accepted(changed)
}

/** Opened apart from the credential, so that one damaged value does not take the other with it. */
function currentHeaders(row: ProviderRow, secrets: ProviderSecrets): Readonly<Record<string, string>> {
  return secrets.open({ ...row, credential_ciphertext: null })?.headers ?? {}
}
