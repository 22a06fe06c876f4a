import { requestToken } from '#gateway/providers/tokens/request-token.ts'
import { createTokenKeeper, type TokenKeeper } from '#gateway/providers/tokens/token-keeper.ts'
import type { Transport } from '#gateway/providers/transport.ts'

const AUTHORITY = 'https://login.microsoftonline.com'
const SCOPE = 'https://cognitiveservices.azure.com/.default'

type EntraApplication = {
  readonly tenant_id: string
  readonly client_id: string
  readonly client_secret: string
  readonly authority?: string
}

/** The application in a credential; null for a key. */
export function applicationOf(credential: string | null): EntraApplication | null {
  // A credential of this form was checked when it was stored.
  return credential?.startsWith('{') ? (JSON.parse(credential) as EntraApplication) : null
}

/** Keeps the tokens of applications: https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
export function createEntraTokens(transport: Transport): TokenKeeper {
  return createTokenKeeper({
    nowMs: () => performance.now(),
    request: async provider => {
      const application = applicationOf(provider.credential)
      if (!application) throw new Error('Only an application has tokens')
      const { tenant_id: tenant, client_id, client_secret, authority = AUTHORITY } = application
      return requestToken(
        {
          url: `${authority}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
          form: { grant_type: 'client_credentials', client_id, client_secret, scope: SCOPE },
        },
        { transport, provider },
      )
    },
  })
}
