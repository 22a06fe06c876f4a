/** An OpenID Connect provider whose users sign in without being asked anything. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Provider from 'oidc-provider'

export type ProviderUser = {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
}

export type OpenidProvider = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Who sits before the provider's page from now on; null refuses. */
  signInAs(user: ProviderUser | null): void
  /**
   * Goes where a browser is sent, follows every redirect of the provider, and gives the address of ours that it is sent
   * back to. Each visit is a browser of its own.
   */
  visit(url: string): Promise<URL>
  /** Answers nothing from now on, or again. */
  setDown(isDown: boolean): void
  close(): Promise<void>
}

const CLIENT = { id: 'goldweight', secret: 'the secret of the client' }

export async function startOpenidProvider(redirectUris: readonly string[]): Promise<OpenidProvider> {
  let user: ProviderUser | null = null
  let isDown = false
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = () => {}
  const server = createServer((request, response) => {
    if (isDown) response.writeHead(503).end()
    else void handle(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const users = new Map<string, ProviderUser>()
  const provider = createProvider(issuer, redirectUris, users)
  const framework = provider.callback()
  handle = async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return framework(request, response)
    if (user) users.set(user.sub, user)
    const result = user ? { login: { accountId: user.sub } } : { error: 'access_denied' }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
  return {
    issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    signInAs: next => {
      user = next
    },
    visit: url => follow(url, issuer),
    setDown: down => {
      isDown = down
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function createProvider(
  issuer: string,
  redirectUris: readonly string[],
  users: ReadonlyMap<string, ProviderUser>,
): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [...redirectUris],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...users.get(sub), sub }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    ttl: {
      Interaction: 600,
      Grant: 600,
      Session: 600,
      AccessToken: 600,
      IdToken: 600,
      AuthorizationCode: 60,
    },
    pkce: { required: () => true },
    // Nobody is asked for consent.
    loadExistingGrant: async context => {
      const { client, session } = context.oidc
      const grant = new context.oidc.provider.Grant({
        clientId: client?.clientId,
        accountId: session?.accountId,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
}

async function follow(start: string, issuer: string): Promise<URL> {
  const jar = new Map<string, string>()
  let url = new URL(start)
  for (let hop = 0; hop < 10; hop++) {
    if (url.origin !== issuer) return url
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    const body = await response.text()
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`The provider answered ${response.status}: ${body.slice(0, 500)}`)
    url = new URL(location, url)
  }
  throw new Error('The provider leads in circles')
}
