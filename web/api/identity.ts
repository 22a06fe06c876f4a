import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import {
  type bothFactors,
  type changeEmail,
  type changePassword,
  type confirmTwoFactor,
  emailChange,
  externalIdentityPage,
  type forgottenPassword,
  type linkIdentity,
  oidcLocation,
  type patchProfile,
  profile,
  type proof,
  publicConfig,
  recoveryCodes,
  type resetPassword,
  sessionPage,
  twoFactorSecret,
  verifiedEmail,
  type verifyEmail,
} from '#contract/sessions.ts'
import { callOrThrow } from './call.ts'

/** Whose sign-in it is: that of users of the portal, or of administrators. The routes are the same. */
export type Realm = 'client' | 'admin'

export type Profile = z.output<typeof profile>
export type Session = z.output<typeof sessionPage>['data'][number]
export type ExternalIdentity = z.output<typeof externalIdentityPage>['data'][number]
export type TwoFactorSecret = z.output<typeof twoFactorSecret>
export type PublicConfig = z.output<typeof publicConfig>

const nothing = z.null()
const post = <Reply extends z.ZodType>(path: string, reply: Reply, body?: unknown) =>
  callOrThrow({ method: 'POST', path, body, reply })

/** What there is to sign in by, and how the service presents itself. It changes by its operator's doing alone. */
export const configQuery = (realm: Realm) =>
  queryOptions({
    queryKey: [realm, 'config'],
    queryFn: ({ signal }) => callOrThrow({ path: `/${realm}/config`, reply: publicConfig, signal }),
    staleTime: 5 * 60_000,
  })

export const profileQuery = (realm: Realm) =>
  queryOptions({
    queryKey: [realm, 'profile'],
    queryFn: ({ signal }) => callOrThrow({ path: `/${realm}/profile`, reply: profile, signal }),
  })

/** The start of every query about sessions: invalidate it when one ended. */
export const sessionsKey = (realm: Realm) => [realm, 'sessions'] as const

export const sessionsQuery = (realm: Realm, query: { readonly cursor?: string }) =>
  queryOptions({
    queryKey: [...sessionsKey(realm), query],
    queryFn: ({ signal }) => callOrThrow({ path: `/${realm}/sessions`, query, reply: sessionPage, signal }),
  })

export const identitiesQuery = (realm: Realm) =>
  queryOptions({
    queryKey: [realm, 'identities'],
    queryFn: ({ signal }) =>
      callOrThrow({ path: `/${realm}/identities`, reply: externalIdentityPage, signal }),
  })

export const askForNewPassword = (realm: Realm, body: z.input<typeof forgottenPassword>) =>
  post(`/${realm}/password/forgotten`, nothing, body)

export const resetForgottenPassword = (realm: Realm, body: z.input<typeof resetPassword>) =>
  post(`/${realm}/password/reset`, nothing, body)

export const rename = (realm: Realm, body: z.input<typeof patchProfile>) =>
  callOrThrow({ method: 'PATCH', path: `/${realm}/profile`, body, reply: profile })

export const changeOwnPassword = (realm: Realm, body: z.input<typeof changePassword>) =>
  post(`/${realm}/password`, nothing, body)

export const changeOwnEmail = (realm: Realm, body: z.input<typeof changeEmail>) =>
  post(`/${realm}/email`, emailChange, body)

export const sendVerification = (realm: Realm) => post(`/${realm}/email/verification`, nothing)

export const verifyOwnEmail = (realm: Realm, body: z.input<typeof verifyEmail>) =>
  post(`/${realm}/email/verify`, verifiedEmail, body)

export const beginTwoFactor = (realm: Realm, body: z.input<typeof proof>) =>
  post(`/${realm}/two-factor`, twoFactorSecret, body)

export const confirmOwnTwoFactor = (realm: Realm, body: z.input<typeof confirmTwoFactor>) =>
  post(`/${realm}/two-factor/confirm`, recoveryCodes, body)

export const disableTwoFactor = (realm: Realm, body: z.input<typeof bothFactors>) =>
  post(`/${realm}/two-factor/disable`, nothing, body)

export const renewRecoveryCodes = (realm: Realm, body: z.input<typeof bothFactors>) =>
  post(`/${realm}/two-factor/recovery-codes`, recoveryCodes, body)

export const endSession = (realm: Realm, id: string) =>
  callOrThrow({ method: 'DELETE', path: `/${realm}/sessions/${encodeURIComponent(id)}`, reply: nothing })

export const endOtherSessions = (realm: Realm) =>
  callOrThrow({ method: 'DELETE', path: `/${realm}/sessions`, reply: nothing })

/** Where to send the browser so that it comes back with an identity. */
export const linkOwnIdentity = (realm: Realm, body: z.input<typeof linkIdentity>) =>
  post(`/${realm}/identities`, oidcLocation, body)

export const unlinkIdentity = (realm: Realm, id: string, body: z.input<typeof proof>) =>
  post(`/${realm}/identities/${encodeURIComponent(id)}/unlink`, nothing, body)

/** Where a browser is sent to sign in through the other service, and where in our pages it ends up. */
export function oidcStartUrl(realm: Realm, from: string | undefined): string {
  return `/${realm}/oidc/start${from === undefined ? '' : `?${new URLSearchParams({ from })}`}`
}
