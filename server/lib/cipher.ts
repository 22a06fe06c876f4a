import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** What a ciphertext belongs to: it opens for this and for nothing else. */
export type Binding = { readonly purpose: string; readonly id: string }

/** Keeps short secrets at rest. */
export type Cipher = {
  /** The text encrypted, as text that begins with its format's version. Two seals of one text differ. */
  seal(plaintext: string, binding: Binding): string
  /** The text again; null when it was sealed with another secret or for another binding, or has been altered. */
  open(ciphertext: string, binding: Binding): string | null
}

const VERSION = 'v1'
const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const SHAPE = /^v1\.([A-Za-z0-9_-]+)$/

/**
 * AES-256-GCM under a key of its own, derived from the service's secret with HKDF-SHA256 (RFC 5869). The binding is the
 * additional data, so a ciphertext that is copied into another row, or another column, does not open there.
 */
export function createCipher(secret: string | Uint8Array): Cipher {
  if (secret.length === 0) throw new Error('A cipher needs a secret')
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'goldweight cipher v1', KEY_BYTES))
  return {
    seal: (plaintext, binding) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce)
      cipher.setAAD(additionalData(binding))
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open: (ciphertext, binding) => {
      const sealed = Buffer.from(SHAPE.exec(ciphertext)?.[1] ?? '', 'base64url')
      if (sealed.length < NONCE_BYTES + TAG_BYTES) return null
      const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(additionalData(binding))
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      try {
        const body = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES))
        return Buffer.concat([body, decipher.final()]).toString('utf8')
      } catch {
        // The only thing that `final` can object to is the tag.
        return null
      }
    },
  }
}

/** JSON keeps the parts apart: no purpose and id can be mistaken for another pair. */
function additionalData({ purpose, id }: Binding): Buffer {
  return Buffer.from(JSON.stringify([VERSION, purpose, id]))
}
