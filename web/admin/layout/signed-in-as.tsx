import { useQuery } from '@tanstack/react-query'
import { meQuery, signOutOfConsole } from '#web/api/admin/session.ts'
import { PersonFoot } from '#web/frame/person-foot.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { ROLE_WORDS } from './role-words.ts'

/** Which administrator is signed in, in which role, with the way out. */
export function SignedInAs() {
  const { data: me } = useQuery(meQuery)
  return (
    <PersonFoot
      person={me?.administrator}
      signOut={signOutOfConsole}
      note={
        me && (
          <p className="mt-1.5">
            <Badge>{ROLE_WORDS[me.administrator.role].label}</Badge>
          </p>
        )
      }
    />
  )
}
