import { useQueryClient } from '@tanstack/react-query'
import { proof } from '#contract/sessions.ts'
import { type ExternalIdentity, identitiesQuery, unlinkIdentity } from '#web/api/identity.ts'
import { useForm } from '#web/api/use-form.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { notify } from '#web/ui/toast.tsx'
import { CurrentPassword } from './current-password.tsx'
import type { PanelOfPersonProps } from './profile-panel.tsx'

export type UnlinkIdentityDialogProps = PanelOfPersonProps & {
  /** Which one; null while nobody asks for it. */
  readonly identity: ExternalIdentity | null
  readonly name: string
  readonly onClose: () => void
}

/** Takes an identity at another service away. */
export function UnlinkIdentityDialog({ identity, name, onClose, ...form }: UnlinkIdentityDialogProps) {
  return (
    <Dialog
      open={identity !== null}
      onOpenChange={open => !open && onClose()}
      title={`Disconnect ${identity?.email ?? name}?`}
      description="It opens your account no more; your password does."
    >
      {identity && <UnlinkForm {...form} identity={identity} onDone={onClose} />}
    </Dialog>
  )
}

type UnlinkFormProps = PanelOfPersonProps & {
  readonly identity: ExternalIdentity
  readonly onDone: () => void
}

function UnlinkForm({ realm, profile, identity, onDone }: UnlinkFormProps) {
  const queryClient = useQueryClient()
  const { formProps, pending } = useForm({
    schema: proof,
    submit: body => unlinkIdentity(realm, identity.id, body),
    onDone: () => {
      onDone()
      notify('Disconnected')
      void queryClient.invalidateQueries({ queryKey: identitiesQuery(realm).queryKey })
    },
    messages: { current_password: 'Give your current password.' },
  })
  return (
    <Form {...formProps}>
      <CurrentPassword profile={profile} />
      <SubmitButton look="danger" pending={pending}>
        Disconnect
      </SubmitButton>
    </Form>
  )
}
