import { useQuery } from '@tanstack/react-query'
import { profileQuery, type Realm } from '#web/api/identity.ts'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { IdentitiesPanel } from './identities-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'
import { TwoFactorPanel } from './two-factor-panel.tsx'

export type AccountPanelsProps = {
  readonly realm: Realm
  /** The address of the page that shows them, within the realm's pages. */
  readonly from: string
  /** What a way through another service left in the address, if it failed. */
  readonly error?: string
  /** What else shows the name, the address or the second factor has to be fetched again. */
  readonly onPersonChanged: () => void
}

/** Everything by which people look after how they sign in. */
export function AccountPanels({ realm, from, error, onPersonChanged }: AccountPanelsProps) {
  const profile = useQuery(profileQuery(realm))
  if (profile.isPending) return <PanelSkeletons />
  if (profile.isError) return <QueryFailure query={profile} title="Your account could not be loaded" />
  const person = { realm, profile: profile.data }
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <ProfilePanel {...person} onChanged={onPersonChanged} />
      <PasswordPanel {...person} />
      <TwoFactorPanel {...person} onChanged={onPersonChanged} />
      <IdentitiesPanel {...person} from={from} error={error} />
      <SessionsPanel realm={realm} />
    </div>
  )
}

function PanelSkeletons() {
  return (
    <div role="status" aria-label="Loading your account" className="flex max-w-3xl flex-col gap-6">
      <Skeleton className="h-56" />
      <Skeleton className="h-72" />
      <Skeleton className="h-44" />
    </div>
  )
}
