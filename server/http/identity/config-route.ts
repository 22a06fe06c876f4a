import { publicConfig } from '#contract/sessions.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import type { HttpApp } from '../frame.ts'
import type { Entrance } from './entrance.ts'

/** What the environment has switched on. */
export type Features = {
  /** Whether the service can send mail. */
  readonly mail: boolean
  /** The OpenID Connect provider, by the name that its button carries; null for none. */
  readonly oidc: { readonly name: string } | null
}

export type ConfigParts = { readonly settings: SettingsRegister; readonly features: Features }

/** The route that tells a realm's pages, before anybody has signed in, which of them there are, and how they look. */
export function registerConfigRoute(
  app: HttpApp,
  { realm }: Entrance,
  { settings, features }: ConfigParts,
): void {
  app.get(`/${realm}/config`, { schema: { response: { 200: publicConfig } } }, async () => {
    const { branding, sign_up } = await settings.get()
    return {
      object: 'config' as const,
      ...branding,
      // Nobody signs up as an administrator.
      sign_up: realm === 'client' ? sign_up : ('closed' as const),
      mail: features.mail,
      oidc: features.oidc,
    }
  })
}
