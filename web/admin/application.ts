import { meQuery } from '#web/api/admin/session.ts'
import type { Application } from '#web/frame/application.ts'

export const CONSOLE: Application = {
  realm: 'admin',
  base: '/console',
  label: 'Console',
  meKey: meQuery.queryKey,
}
