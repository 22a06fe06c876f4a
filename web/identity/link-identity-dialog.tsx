import { proof } from '#contract/sessions.ts'
import { linkOwnIdentity } from '#web/api/identity.ts'
import { useForm } from '#web/api/use-form.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { CurrentPassword } from './current-password.tsx'
import type { PanelOfPersonProps } from './profile-panel.tsx'

export type LinkIdentityDialogProps = PanelOfPersonProps & {
  readonly name: string
  readonly from: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Leads to the other service, from where one comes back connected. */
export function LinkIdentityDialog({ open, onOpenChange, name, ...form }: LinkIdentityDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Connect ${name}`}
      description="You sign in there and come back here. From then on it opens your account, too."
    >
      <LinkForm {...form} />
    </Dialog>
  )
}

type LinkFormProps = PanelOfPersonProps & { readonly from: string }

function LinkForm({ realm, profile, from }: LinkFormProps) {
  const { formProps, pending } = useForm({
    schema: proof,
    submit: body => linkOwnIdentity(realm, { ...body, from }),
    onDone: ({ url }) => location.assign(url),
    messages: { current_password: 'Give your current password.' },
  })
  return (
    <Form {...formProps}>
      <CurrentPassword profile={profile} />
      <SubmitButton pending={pending}>Continue</SubmitButton>
    </Form>
  )
}
