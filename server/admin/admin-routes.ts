import type { HttpApp } from '#server/http/frame.ts'
import { requireAdministrator } from '#server/http/guard.ts'
import { registerConfigRoute } from '#server/http/identity/config-route.ts'
import { createEntrance } from '#server/http/identity/entrance.ts'
import { registerMailedRoutes } from '#server/http/identity/mailed-routes.ts'
import { registerOidcRoutes } from '#server/http/identity/oidc-routes.ts'
import { registerOwnRoutes } from '#server/http/identity/own-routes.ts'
import { registerGuarded, registerSessionScope } from '#server/http/session-scope.ts'
import { registerAccountRoutes } from './accounts.ts'
import type { AdminParts } from './admin-parts.ts'
import { registerAdministratorRoutes } from './administrators.ts'
import { registerAuditRoutes } from './audit.ts'
import { registerAdminKeyRoutes } from './keys.ts'
import { refuseManaged } from './managed.ts'
import { registerAdminRequestRoutes } from './requests.ts'
import { requireRole } from './roles.ts'
import { registerAdminDoors, registerAdminSessionRoutes } from './sessions.ts'
import { registerSettingsRoutes } from './settings.ts'
import { registerAdminUsageRoutes } from './usage.ts'
import { registerUserRoutes } from './users.ts'

/**
 * Everything under `/admin`: the door is open to strangers, all else is for the administrator who is signed in, and,
 * but for what they do about their own sign-in, for the role that includes it.
 * `registerMore` adds routes behind the same guard, such as those of the catalogue.
 */
export function registerAdminRoutes(
  app: HttpApp,
  parts: AdminParts,
  registerMore: (scope: HttpApp) => void = () => {},
): void {
  const { publicUrl, secret, sessions, settings, managedItems, oidc } = parts
  const entrance = createEntrance({ realm: 'admin', publicUrl, secret })
  const { cookie } = entrance
  registerSessionScope(app, { publicUrl }, scope => {
    registerConfigRoute(scope, entrance, parts)
    registerMailedRoutes(scope, entrance, parts)
    if (oidc) registerOidcRoutes(scope, entrance, { oidc, findPerson: sessions.findAdministrator })
    registerAdminDoors(scope, { ...parts, entrance })
    registerGuarded(
      scope,
      requireAdministrator({ cookie, findPerson: sessions.findAdministrator }),
      guarded => {
        registerAdminSessionRoutes(guarded, { ...parts, entrance })
        registerOwnRoutes(guarded, entrance, parts)
        registerGuarded(guarded, requireRole(settings), admitted => {
          admitted.addHook('preHandler', refuseManaged(managedItems))
          registerAdministratorRoutes(admitted, parts)
          registerAccountRoutes(admitted, parts)
          registerUserRoutes(admitted, parts)
          registerAdminKeyRoutes(admitted, parts)
          registerSettingsRoutes(admitted, parts)
          registerAuditRoutes(admitted, parts)
          registerAdminRequestRoutes(admitted, parts)
          registerAdminUsageRoutes(admitted, parts)
          registerMore(admitted)
        })
      },
    )
  })
}
