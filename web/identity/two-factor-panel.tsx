import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { profileQuery, sessionsKey } from '#web/api/identity.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { notify } from '#web/ui/toast.tsx'
import { DisableTwoFactorDialog } from './disable-two-factor-dialog.tsx'
import { EnableTwoFactorDialog } from './enable-two-factor-dialog.tsx'
import type { PanelOfPersonProps } from './profile-panel.tsx'
import { RenewCodesDialog } from './renew-codes-dialog.tsx'

export type TwoFactorPanelProps = PanelOfPersonProps & {
  /** What else shows whether there is a second factor has to be fetched again. */
  readonly onChanged: () => void
}

type Asked = 'enable' | 'disable' | 'renew' | null

/** Switches the second factor on and off. */
export function TwoFactorPanel({ realm, profile, onChanged }: TwoFactorPanelProps) {
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState<Asked>(null)
  const { enabled, recovery_codes_left: codesLeft } = profile.two_factor
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: profileQuery(realm).queryKey })
    void queryClient.invalidateQueries({ queryKey: sessionsKey(realm) })
    onChanged()
  }
  const dialog = (name: Asked) => ({
    realm,
    profile,
    open: asked === name,
    onOpenChange: (open: boolean) => setAsked(open ? name : null),
    onChanged: refresh,
  })
  return (
    <Panel
      title="Second factor"
      action={<Badge tone={enabled ? 'good' : 'plain'}>{enabled ? 'On' : 'Off'}</Badge>}
    >
      <p className="text-sm text-muted">
        {enabled
          ? `Signing in asks for a code of your authenticator app. ${codesText(codesLeft)}`
          : 'With a second factor, signing in asks for a code of an authenticator app: your password alone opens nothing.'}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        {enabled ? (
          <>
            <Button onClick={() => setAsked('renew')}>New recovery codes</Button>
            <Button onClick={() => setAsked('disable')}>Switch off</Button>
          </>
        ) : (
          <Button onClick={() => setAsked('enable')}>Set up</Button>
        )}
      </div>
      <EnableTwoFactorDialog {...dialog('enable')} />
      <RenewCodesDialog {...dialog('renew')} />
      <DisableTwoFactorDialog
        {...dialog('disable')}
        onChanged={() => {
          refresh()
          setAsked(null)
          notify('The second factor is off')
        }}
      />
    </Panel>
  )
}

function codesText(count: number): string {
  if (count === 0) return 'No recovery codes are left: make new ones.'
  return count === 1 ? 'One recovery code is left.' : `${count} recovery codes are left.`
}
