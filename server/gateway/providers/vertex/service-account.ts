import { sign } from 'node:crypto'
import { promisify } from 'node:util'
import { NoAnswer } from '#gateway/providers/collect-answer.ts'
import type { TokenRequest } from '#gateway/providers/tokens/request-token.ts'

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const TOKEN_URL = 'https://oauth2.googleapis.com/token'
const LIFE_SECONDS = 3600

/** A service account's key file, as far as it matters. */
export type ServiceAccount = {
  readonly client_email: string
  readonly private_key: string
  readonly private_key_id?: string
  readonly token_uri?: string
}

/** The service account in a credential; null for a key of the API. */
export function serviceAccountOf(credential: string | null): ServiceAccount | null {
  // A credential of this form was checked when it was stored.
  return credential?.startsWith('{') ? (JSON.parse(credential) as ServiceAccount) : null
}

const signInThread = promisify(sign)

/** A token is asked for with a signed statement: https://developers.google.com/identity/protocols/oauth2/service-account */
export async function serviceAccountTokenRequest(
  account: ServiceAccount,
  nowSeconds: number,
): Promise<TokenRequest> {
  const url = account.token_uri ?? TOKEN_URL
  const header = {
    alg: 'RS256',
    typ: 'JWT',
    ...(account.private_key_id ? { kid: account.private_key_id } : {}),
  }
  const claims = {
    iss: account.client_email,
    scope: SCOPE,
    aud: url,
    iat: nowSeconds,
    exp: nowSeconds + LIFE_SECONDS,
  }
  const statement = `${encode(header)}.${encode(claims)}`
  const signature = await signInThread('RSA-SHA256', Buffer.from(statement), account.private_key).catch(
    () => {
      throw new NoAnswer('the private key of the service account can not sign')
    },
  )
  return {
    url,
    form: {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: `${statement}.${signature.toString('base64url')}`,
    },
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
