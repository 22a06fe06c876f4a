import { useState } from 'react'
import { renewRecoveryCodes } from '#web/api/identity.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { BothFactorsForm } from './both-factors-form.tsx'
import type { PersonDialogProps } from './person-dialog.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

/** Makes new recovery codes in place of those that are left. */
export function RenewCodesDialog({ realm, profile, open, onOpenChange, onChanged }: PersonDialogProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const changeOpen = (next: boolean) => {
    onOpenChange(next)
    if (!next) setCodes(null)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      keepsOpen={codes !== null}
      title={codes ? 'Your new recovery codes' : 'Make new recovery codes?'}
      description={
        codes ? 'Keep them now: they can not be shown again.' : 'The codes that you have become void.'
      }
    >
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => changeOpen(false)} />
      ) : (
        <BothFactorsForm
          profile={profile}
          look="primary"
          submitLabel="Make codes"
          submit={body => renewRecoveryCodes(realm, body)}
          onDone={({ recovery_codes }) => {
            setCodes(recovery_codes)
            onChanged()
          }}
        />
      )}
    </Dialog>
  )
}
