import { meQuery } from '#web/api/client/session.ts'
import type { Application } from '#web/frame/application.ts'

export const PORTAL: Application = {
  realm: 'client',
  base: '/portal',
  meKey: meQuery.queryKey,
}
