import type { Cipher } from '#lib/cipher.ts'
import type { ProviderRow } from '#storage/tables.ts'
import type { FurtherCredential } from './further-credentials.ts'

export type Headers = Readonly<Record<string, string>>

/** What is stored encrypted with a provider, opened. */
export type ProviderSecretValues = { readonly credential: string | null; readonly headers: Headers }

/** Seals and opens what a provider's row keeps encrypted; each value opens in its own row and column alone. */
export type ProviderSecrets = {
  sealCredential(providerId: string, credential: string): string
  /** null when there are no headers to keep. */
  sealHeaders(providerId: string, headers: Headers): string | null
  /** null when there are none to keep. */
  sealFurther(providerId: string, credentials: readonly FurtherCredential[]): string | null
  /** null when they do not open, as below. */
  openFurther(row: ProviderRow): readonly FurtherCredential[] | null
  /** null when a value does not open: the service's secret is another one, or the row was tampered with. */
  open(row: ProviderRow): ProviderSecretValues | null
}

const CREDENTIAL = 'provider credential'
const FURTHER = 'provider further credentials'
const HEADERS = 'provider headers'

export function createProviderSecrets(cipher: Cipher): ProviderSecrets {
  return {
    sealCredential: (id, credential) => cipher.seal(credential, { purpose: CREDENTIAL, id }),
    sealHeaders: (id, headers) =>
      Object.keys(headers).length === 0
        ? null
        : cipher.seal(JSON.stringify(headers), { purpose: HEADERS, id }),
    sealFurther: (id, credentials) =>
      credentials.length === 0 ? null : cipher.seal(JSON.stringify(credentials), { purpose: FURTHER, id }),
    openFurther: ({ id, further_credentials_ciphertext: sealed }) => {
      if (sealed === null) return []
      const opened = cipher.open(sealed, { purpose: FURTHER, id })
      // Sealed and unaltered, so it is what `sealFurther` wrote.
      return opened === null ? null : (JSON.parse(opened) as FurtherCredential[])
    },
    open: ({ id, credential_ciphertext, headers_ciphertext }) => {
      const credential =
        credential_ciphertext === null
          ? null
          : cipher.open(credential_ciphertext, { purpose: CREDENTIAL, id })
      const headers =
        headers_ciphertext === null ? '{}' : cipher.open(headers_ciphertext, { purpose: HEADERS, id })
      if (headers === null || (credential === null && credential_ciphertext !== null)) return null
      // Sealed and unaltered, so it is what `sealHeaders` wrote.
      return { credential, headers: JSON.parse(headers) as Headers }
    },
  }
}
