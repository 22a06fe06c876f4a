import type { CatalogProvider } from '#domains/catalog/snapshot.ts'

type AwsKey = {
  readonly access_key_id: string
  readonly secret_access_key: string
  readonly session_token?: string
  readonly region: string
}

type BedrockConnection = {
  readonly baseURL: string
  readonly apiKey: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** How Bedrock is reached and told who calls. What is missing is said to be so, or it would be looked for in the environment. */
export function bedrockConnection({ baseUrl, credential }: CatalogProvider): BedrockConnection {
  const nothing = { region: 'none', accessKeyId: 'none', secretAccessKey: 'none' }
  if (!credential?.startsWith('{')) return { baseURL: baseUrl, apiKey: credential ?? 'none', ...nothing }
  // A credential of this form was checked when it was stored.
  const key = JSON.parse(credential) as AwsKey
  return {
    baseURL: baseUrl,
    // With an empty key, calls are signed.
    apiKey: '',
    region: key.region,
    accessKeyId: key.access_key_id,
    secretAccessKey: key.secret_access_key,
    ...(key.session_token === undefined ? {} : { sessionToken: key.session_token }),
  }
}
