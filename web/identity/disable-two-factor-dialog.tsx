import { disableTwoFactor } from '#web/api/identity.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { BothFactorsForm } from './both-factors-form.tsx'
import type { PersonDialogProps } from './person-dialog.ts'

/** Switches the second factor off. */
export function DisableTwoFactorDialog(props: PersonDialogProps) {
  const { realm, profile, open, onOpenChange, onChanged } = props
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Switch the second factor off?"
      description="Your password alone will open your account. Your recovery codes become void."
    >
      <BothFactorsForm
        profile={profile}
        look="danger"
        submitLabel="Switch off"
        submit={body => disableTwoFactor(realm, body)}
        onDone={onChanged}
      />
    </Dialog>
  )
}
