import { changeEmail } from '#contract/sessions.ts'
import { changeOwnEmail } from '#web/api/identity.ts'
import { useForm } from '#web/api/use-form.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { notify } from '#web/ui/toast.tsx'
import { CurrentPassword } from './current-password.tsx'
import type { PersonDialogProps } from './person-dialog.ts'

/** Takes a new e-mail address; where the service sends mail, it is changed by a link in a mail to it. */
export function ChangeEmailDialog({ open, onOpenChange, ...form }: PersonDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Change e-mail address">
      <ChangeEmailForm {...form} onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

type ChangeEmailFormProps = Omit<PersonDialogProps, 'open' | 'onOpenChange'> & {
  readonly onDone: () => void
}

function ChangeEmailForm({ realm, profile, onChanged, onDone }: ChangeEmailFormProps) {
  const { formProps, pending } = useForm({
    schema: changeEmail,
    submit: async body => ({ ...(await changeOwnEmail(realm, body)), email: body.email }),
    onDone: ({ status, email }) => {
      onDone()
      onChanged()
      if (status === 'changed') notify('Address changed', `You sign in with ${email} from now on.`)
      else notify('Look for a mail', `Your address changes when you follow the link sent to ${email}.`)
    },
    messages: {
      email: 'Give an e-mail address, such as ama@example.org.',
      current_password: 'Give your current password.',
    },
  })
  return (
    <Form {...formProps}>
      <TextField name="email" label="New e-mail address" type="email" autoComplete="email" required />
      <CurrentPassword profile={profile} />
      <SubmitButton pending={pending}>Change address</SubmitButton>
    </Form>
  )
}
