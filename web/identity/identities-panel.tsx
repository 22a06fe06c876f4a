import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { configQuery, type ExternalIdentity, identitiesQuery } from '#web/api/identity.ts'
import { Button } from '#web/ui/button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { LinkIdentityDialog } from './link-identity-dialog.tsx'
import { oidcMessage } from './oidc-message.ts'
import type { PanelOfPersonProps } from './profile-panel.tsx'
import { UnlinkIdentityDialog } from './unlink-identity-dialog.tsx'

export type IdentitiesPanelProps = PanelOfPersonProps & {
  /** What a way through the other service left in the address, if it failed. */
  readonly error?: string
  /** Where that way ends: the page that shows this. */
  readonly from: string
}

/** Through which other services somebody signs in. Is not there where none is configured. */
export function IdentitiesPanel({ realm, profile, error, from }: IdentitiesPanelProps) {
  const { data: config } = useQuery(configQuery(realm))
  const identities = useQuery({ ...identitiesQuery(realm), enabled: Boolean(config?.oidc) })
  const [linking, setLinking] = useState(false)
  const [unlinking, setUnlinking] = useState<ExternalIdentity | null>(null)
  if (!config?.oidc) return null
  const { name } = config.oidc
  const failure = oidcMessage(error)
  return (
    <Panel
      title="Sign-in through another service"
      action={
        <Button size="small" onClick={() => setLinking(true)}>
          Connect {name}
        </Button>
      }
    >
      <div role="alert" className="mb-4 empty:hidden">
        {failure && <Notice tone="bad">{failure}</Notice>}
      </div>
      {identities.isPending && <SkeletonRows rows={1} label="Loading connected services" />}
      <QueryFailure query={identities} title="The connected services could not be loaded" />
      {identities.data?.data.length === 0 && (
        <p className="text-sm text-muted">Nothing is connected: you sign in with your password.</p>
      )}
      <ul className="flex flex-col">
        {identities.data?.data.map(identity => (
          <li
            key={identity.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3 last:border-0"
          >
            <span className="flex min-w-0 flex-col text-sm">
              <span className="font-medium wrap-anywhere">{identity.email ?? name}</span>
              <span className="text-muted">
                {new URL(identity.issuer).hostname}, connected{' '}
                <DateTime value={identity.created_at} show="day" />
              </span>
            </span>
            <Button
              size="small"
              className="sm:ml-auto"
              aria-label={`Disconnect ${identity.email ?? name}`}
              onClick={() => setUnlinking(identity)}
            >
              Disconnect
            </Button>
          </li>
        ))}
      </ul>
      <LinkIdentityDialog
        realm={realm}
        profile={profile}
        name={name}
        from={from}
        open={linking}
        onOpenChange={setLinking}
      />
      <UnlinkIdentityDialog
        realm={realm}
        profile={profile}
        identity={unlinking}
        name={name}
        onClose={() => setUnlinking(null)}
      />
    </Panel>
  )
}
