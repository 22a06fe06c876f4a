import type { HttpApp } from '#server/http/frame.ts'
import { requireUser } from '#server/http/guard.ts'
import { registerConfigRoute } from '#server/http/identity/config-route.ts'
import { createEntrance } from '#server/http/identity/entrance.ts'
import { registerMailedRoutes } from '#server/http/identity/mailed-routes.ts'
import { registerOidcRoutes } from '#server/http/identity/oidc-routes.ts'
import { registerOwnRoutes } from '#server/http/identity/own-routes.ts'
import { registerGuarded, registerSessionScope } from '#server/http/session-scope.ts'
import { registerClientKeyRoutes } from './keys.ts'
import type { PortalParts } from './portal-parts.ts'
import { registerClientRecordRoutes } from './records.ts'
import { registerClientDoors, registerClientSessionRoutes } from './sessions.ts'
import { registerClientUsageRoutes } from './usage.ts'

/** Everything under `/client`: the doors are open to strangers, all else is for the user who is signed in. */
export function registerPortalRoutes(
  app: HttpApp,
  parts: PortalParts,
  registerMore: (guarded: HttpApp) => void = () => {},
): void {
  const { publicUrl, secret, sessions, oidc } = parts
  const entrance = createEntrance({ realm: 'client', publicUrl, secret })
  const { cookie } = entrance
  registerSessionScope(app, { publicUrl }, scope => {
    registerConfigRoute(scope, entrance, parts)
    registerMailedRoutes(scope, entrance, parts)
    if (oidc) registerOidcRoutes(scope, entrance, { oidc, findPerson: sessions.findUser })
    registerClientDoors(scope, { ...parts, entrance })
    registerGuarded(scope, requireUser({ cookie, findPerson: sessions.findUser }), guarded => {
      registerClientSessionRoutes(guarded, { ...parts, entrance })
      registerOwnRoutes(guarded, entrance, parts)
      registerClientKeyRoutes(guarded, parts)
      registerClientRecordRoutes(guarded, parts)
      registerClientUsageRoutes(guarded, parts)
      registerMore(guarded)
    })
  })
}
