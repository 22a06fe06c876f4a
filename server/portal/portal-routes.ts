import type { HttpApp } from '#server/http/frame.ts'
import { requireUser } from '#server/http/guard.ts'
import { createSessionCookie } from '#server/http/session-cookie.ts'
import { registerGuarded, registerSessionScope } from '#server/http/session-scope.ts'
import { registerClientKeyRoutes } from './keys.ts'
import type { PortalParts } from './portal-parts.ts'
import { registerClientRecordRoutes } from './records.ts'
import { registerClientDoors, registerClientSessionRoutes } from './sessions.ts'

/** Everything under `/client`: the doors are open to strangers, all else is for the user who is signed in. */
export function registerPortalRoutes(app: HttpApp, parts: PortalParts): void {
  const { publicUrl, secret, sessions } = parts
  const secure = publicUrl !== null && new URL(publicUrl).protocol === 'https:'
  const cookie = createSessionCookie({ realm: 'client', secret, secure })
  registerSessionScope(app, { publicUrl }, scope => {
    registerClientDoors(scope, { ...parts, cookie })
    registerGuarded(scope, requireUser({ cookie, findPerson: sessions.findUser }), guarded => {
      registerClientSessionRoutes(guarded, { ...parts, cookie })
      registerClientKeyRoutes(guarded, parts)
      registerClientRecordRoutes(guarded, parts)
    })
  })
}
