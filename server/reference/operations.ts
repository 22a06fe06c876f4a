import type { Operations } from './operation.ts'
import { ADMIN_OPERATIONS } from './operations/admin.ts'
import { GATEWAY_OPERATIONS } from './operations/generation.ts'
import { PORTAL_OPERATIONS } from './operations/portal.ts'
import { PUBLIC_OPERATIONS } from './operations/public.ts'

/** The words of every route. */
export const OPERATIONS: Operations = {
  ...GATEWAY_OPERATIONS,
  ...PUBLIC_OPERATIONS,
  ...PORTAL_OPERATIONS,
  ...ADMIN_OPERATIONS,
}
