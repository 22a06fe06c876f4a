import type { FastifyReply, FastifyRequest } from 'fastify'
import { oidcStart } from '#contract/sessions.ts'
import type { OidcClient } from '#domains/identity/oidc-client.ts'
import type { OidcFlows, PendingOidc } from '#domains/identity/oidc-flows.ts'
import type { OidcReturn, OidcSignIn } from '#domains/identity/oidc-sign-in.ts'
import type { SignedIn } from '#domains/identity/people.ts'
import type { HttpApp } from '../frame.ts'
import { type Entrance, originOf } from './entrance.ts'
import { createOidcCookie } from './oidc-cookie.ts'

/** Signing in through another service; built where one is configured. */
export type OidcParts = {
  readonly client: OidcClient
  readonly flows: OidcFlows
  readonly signIn: OidcSignIn
  /** Where browsers find the service: where the provider sends them back to. */
  readonly publicUrl: string
}

export type OidcRouteParts = {
  readonly oidc: OidcParts
  /** Who a session token of the realm stands for. */
  readonly findPerson: (token: string) => Promise<SignedIn | null>
}

const PAGES = { client: 'portal', admin: 'console' } as const

/** The two routes that a browser is led through: away to the provider, and back. Both answer with another address. */
export function registerOidcRoutes(
  app: HttpApp,
  entrance: Entrance,
  { oidc, findPerson }: OidcRouteParts,
): void {
  const { realm, secure } = entrance
  const cookie = createOidcCookie({ realm, secure, flows: oidc.flows })

  const leadTo = (reply: FastifyReply, path: string, search: Record<string, string | undefined> = {}) =>
    reply.redirect(pageUrl(oidc, entrance, path, search), 303)

  app.get(`/${realm}/oidc/start`, { schema: { querystring: oidcStart } }, async (request, reply) => {
    const { from } = request.query
    const begun = await oidc.client.begin(oidcRedirectUri(oidc, entrance))
    if (!begun.ok) return leadTo(reply, '/sign-in', { error: `oidc_${begun.refusal}`, from })
    cookie.set(reply, { ...begun.value.flow, from: from ?? '/', linking: null })
    return reply.redirect(begun.value.url.href, 303)
  })

  app.get(`/${realm}/oidc/callback`, async (request, reply) => {
    const pending = cookie.take(request, reply)
    if (!pending) return leadTo(reply, '/sign-in', { error: 'oidc_expired' })
    const options = returnOf(request, pending)
    return pending.linking === null ? signIn(reply, options) : link(request, reply, options)
  })

  async function signIn(reply: FastifyReply, options: OidcReturn) {
    const { from } = options.pending
    const outcome = await oidc.signIn.signIn(realm, options)
    if (!outcome.ok) return leadTo(reply, '/sign-in', { error: `oidc_${outcome.refusal}`, from })
    if (outcome.value.kind === 'session') {
      entrance.open(reply, outcome.value)
      return leadTo(reply, from)
    }
    entrance.pending.set(reply, outcome.value)
    return leadTo(reply, '/sign-in', { step: 'second-factor', from })
  }

  async function link(request: FastifyRequest, reply: FastifyReply, options: OidcReturn) {
    const token = entrance.cookie.read(request)
    const person = token === null ? null : await findPerson(token)
    const outcome = await oidc.signIn.link(person, options)
    return leadTo(reply, options.pending.from, outcome.ok ? {} : { error: `oidc_${outcome.refusal}` })
  }

  function returnOf(request: FastifyRequest, pending: PendingOidc): OidcReturn {
    const returned = new URL(oidcRedirectUri(oidc, entrance))
    returned.search = request.url.split('?').slice(1).join('?')
    return { returned, pending, origin: originOf(request), replaces: entrance.cookie.read(request) }
  }
}

/** Where the provider sends a realm's browsers back to: what the operator registers there. */
export function oidcRedirectUri({ publicUrl }: Pick<OidcParts, 'publicUrl'>, { realm }: Entrance): string {
  return `${publicUrl}/${realm}/oidc/callback`
}

/** A page of the realm. Whatever `path` holds, it is one of ours: it stands behind our own address. */
function pageUrl(
  { publicUrl }: OidcParts,
  { realm }: Entrance,
  path: string,
  search: Record<string, string | undefined>,
): string {
  const url = new URL(`${publicUrl}/${PAGES[realm]}${path}`)
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url.href
}
