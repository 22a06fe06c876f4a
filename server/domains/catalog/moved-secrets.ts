import { isOtherServer } from '#contract/provider-kinds.ts'
import type { ProviderRow } from '#storage/tables.ts'
import { MASK, maskHeaders } from './provider-headers.ts'
import type { ProviderSecrets } from './provider-secrets.ts'
import type { ProviderPatch } from './providers.ts'

const GIVEN_AGAIN = 'must be given again when the address changes to another server'

/**
 * What is stored for one server and would go to another if the provider were at this address, naming the field; null when
 * there is none: whoever may change an address, but was never told a secret, could else have it sent to a server of their
 * own. Another path on the same server is no other address in this sense.
 */
export function findMovedSecret(
  row: ProviderRow,
  patch: ProviderPatch,
  secrets: ProviderSecrets,
  baseUrl: string,
): string | null {
  // A new row has no address yet, and nothing that is stored.
  if (row.base_url === '' || !isOtherServer(row.base_url, baseUrl)) return null
  const field = findCredential(row, patch) ?? findFurther(row, patch) ?? findHeader(row, patch, secrets)
  return field === null ? null : `${field}: ${GIVEN_AGAIN}`
}

function findCredential(row: ProviderRow, { credential }: ProviderPatch): string | null {
  return row.credential_ciphertext !== null && credential === undefined ? 'credential' : null
}

function findFurther(row: ProviderRow, { further_credentials: given }: ProviderPatch): string | null {
  if (row.further_credentials_ciphertext === null) return null
  const index = given === undefined ? 0 : given.findIndex(({ credential }) => credential === undefined)
  return index === -1 ? null : `further_credentials.${index}.credential`
}

/** Headers that are shown are no secrets, and may stay. */
function findHeader(
  row: ProviderRow,
  { headers: given }: ProviderPatch,
  secrets: ProviderSecrets,
): string | null {
  const stored = secrets.open({ ...row, credential_ciphertext: null })?.headers ?? {}
  const kept = Object.entries(given ?? maskHeaders(stored)).find(([, value]) => value === MASK)
  return kept === undefined ? null : `headers.${kept[0]}`
}
