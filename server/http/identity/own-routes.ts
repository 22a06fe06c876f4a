import type { TwoFactor } from '#domains/identity/two-factor.ts'
import type { HttpApp } from '../frame.ts'
import { type EmailParts, registerEmailRoutes } from './email-routes.ts'
import type { Entrance } from './entrance.ts'
import { type IdentityParts, registerIdentityRoutes } from './identity-routes.ts'
import { type PersonParts, registerPersonRoutes } from './person-routes.ts'
import { registerTwoFactorRoutes } from './two-factor-routes.ts'

/** What the routes are made of by which people look after how they sign in, the same in both realms. */
export type OwnParts = PersonParts & EmailParts & IdentityParts & { readonly twoFactor: TwoFactor }

/** Everything behind the guard of a realm by which people look after how they sign in. */
export function registerOwnRoutes(app: HttpApp, entrance: Entrance, parts: OwnParts): void {
  registerPersonRoutes(app, entrance, parts)
  registerEmailRoutes(app, entrance, parts)
  registerIdentityRoutes(app, entrance, parts)
  registerTwoFactorRoutes(app, entrance, parts)
}
