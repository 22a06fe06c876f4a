import * as oidc from 'openid-client'
import type { Clock } from '#lib/clock.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { type Log, loggableError } from '#telemetry/log.ts'

export type OidcOptions = {
  readonly issuer: string
  readonly clientId: string
  /** null for a client that has none and is known by PKCE alone. */
  readonly clientSecret: string | null
  /** What its button says. */
  readonly name: string
}

/** What a sign-in at the provider is known by when it comes back. */
export type OidcFlow = { readonly state: string; readonly nonce: string; readonly verifier: string }

/** Who somebody is at the provider. */
export type OidcIdentity = {
  readonly issuer: string
  readonly subject: string
  /** In lower case; null when the provider does not tell it, or not that it is theirs. */
  readonly verifiedEmail: string | null
  readonly name: string | null
}

/** The provider did not answer as it should; or the person, or their provider, said no. */
export type OidcFailure = 'unavailable' | 'denied' | 'failed'

/** Sign-in by the authorization code flow with PKCE, at one provider. */
export type OidcClient = {
  /** Where to send a browser, and what to remember until it comes back to `redirectUri`. */
  begin(redirectUri: string): Promise<Outcome<{ readonly url: URL; readonly flow: OidcFlow }, OidcFailure>>
  /** Who came back. `returned` is the redirect URI with the parameters that the provider added. */
  finish(returned: URL, flow: OidcFlow): Promise<Outcome<OidcIdentity, OidcFailure>>
}

export type OidcClientParts = { readonly options: OidcOptions; readonly clock: Clock; readonly log: Log }

const SCOPE = 'openid email profile'
const TIMEOUT_SECONDS = 10
/** How long what the provider says of itself is believed. */
const DISCOVERY_MS = 3_600_000

export function createOidcClient({ options, clock, log }: OidcClientParts): OidcClient {
  let discovered: { readonly reading: Promise<oidc.Configuration>; readonly atMs: number } | null = null

  /** Read when it is first needed, and again after a failure: a provider that is down must not keep us from starting. */
  function discover(): Promise<oidc.Configuration> {
    const nowMs = clock.monotonicMs()
    if (discovered && nowMs - discovered.atMs < DISCOVERY_MS) return discovered.reading
    const current = { reading: readConfiguration(options), atMs: nowMs }
    discovered = current
    current.reading.catch(() => {
      if (discovered === current) discovered = null
    })
    return current.reading
  }

  function failed(error: unknown, failure: OidcFailure): { ok: false; refusal: OidcFailure } {
    log.warn({ error: loggableError(error) }, 'a sign-in through the OpenID Connect provider failed')
    return refused(failure)
  }

  return {
    begin: async redirectUri => {
      const flow = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      }
      try {
        const url = oidc.buildAuthorizationUrl(await discover(), {
          redirect_uri: redirectUri,
          scope: SCOPE,
          state: flow.state,
          nonce: flow.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
          code_challenge_method: 'S256',
        })
        return accepted({ url, flow })
      } catch (error) {
        return failed(error, 'unavailable')
      }
    },
    finish: async (returned, { state, nonce, verifier }) => {
      try {
        const configuration = await discover()
        const tokens = await oidc.authorizationCodeGrant(configuration, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        return accepted(await readIdentity(configuration, tokens))
      } catch (error) {
        if (error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied') {
          return refused('denied')
        }
        return failed(error, 'failed')
      }
    },
  }
}

function readConfiguration({ issuer, clientId, clientSecret }: OidcOptions): Promise<oidc.Configuration> {
  const server = new URL(issuer)
  return oidc.discovery(server, clientId, undefined, authentication(clientSecret), {
    timeout: TIMEOUT_SECONDS,
    // The configuration allows http on this machine alone.
    execute: server.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
  })
}

/** OpenID Connect Core, section 9: a secret goes into the header unless the provider only takes it in the body. */
function authentication(clientSecret: string | null): oidc.ClientAuth {
  if (clientSecret === null) return oidc.None()
  const inHeader = oidc.ClientSecretBasic(clientSecret)
  const inBody = oidc.ClientSecretPost(clientSecret)
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? inHeader : inBody)(server, ...rest)
  }
}

type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>

async function readIdentity(configuration: oidc.Configuration, tokens: Tokens): Promise<OidcIdentity> {
  const claims = tokens.claims()
  if (!claims) throw new Error('The provider gave no ID token')
  // Many providers put the e-mail into the ID token, others only tell it when they are asked with the access token.
  const hasEmail = claims.email !== undefined || !configuration.serverMetadata().userinfo_endpoint
  const person = hasEmail ? claims : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
  const { email, email_verified, name } = person
  // Some providers write the truth value as text.
  const isVerified = email_verified === true || String(email_verified) === 'true'
  return {
    issuer: claims.iss,
    subject: claims.sub,
    verifiedEmail: isVerified && typeof email === 'string' ? email.trim().toLowerCase() : null,
    name: typeof name === 'string' ? name : null,
  }
}
