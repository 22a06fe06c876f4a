import { useQuery } from '@tanstack/react-query'
import { meQuery, signOutOfPortal } from '#web/api/client/session.ts'
import { PersonFoot } from '#web/frame/person-foot.tsx'

/** Which user is signed in, with the way out. */
export function SignedInAs() {
  const { data: me } = useQuery(meQuery)
  return <PersonFoot person={me?.user} signOut={signOutOfPortal} />
}
