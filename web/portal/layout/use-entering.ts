import type { Me } from '#web/api/client/session.ts'
import { useEntering as useEnteringOf } from '#web/frame/use-entering.ts'
import { PORTAL } from '../application.ts'

/** What happens once a user is signed in: to the page that they came for, or to the overview. */
export function useEntering(from: string | undefined): (me: Me) => void {
  return useEnteringOf<Me>(PORTAL, from)
}
