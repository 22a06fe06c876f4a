import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { displayName, emailAddress, newPassword } from '#contract/primitives.ts'
import { type Account, createAccountWithOwner, refreshAccounts } from '#web/api/admin/accounts.ts'
import { useForm } from '#web/api/use-form.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { notify } from '#web/ui/toast.tsx'

export type NewAccountDialogProps = {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly onMade: (account: Account) => void
}

/** Makes an account with the user who owns it. */
export function NewAccountDialog({ open, onOpenChange, onMade }: NewAccountDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New account"
      description="An account holds credits. Its owner signs in to the portal and makes keys."
    >
      <NewAccountForm onMade={onMade} />
    </Dialog>
  )
}

const fields = z.object({
  name: displayName,
  owner_name: displayName,
  email: emailAddress,
  password: newPassword,
})

function NewAccountForm({ onMade }: Pick<NewAccountDialogProps, 'onMade'>) {
  const queryClient = useQueryClient()
  const { formProps, pending } = useForm({
    schema: fields,
    submit: ({ name, owner_name, email, password }) =>
      createAccountWithOwner({ name, owner: { name: owner_name, email, password } }),
    onDone: account => {
      notify('Account made', `${account.owner.email} can sign in with the password that you chose.`)
      void refreshAccounts(queryClient)
      onMade(account)
    },
    messages: {
      name: 'Give a name of up to 200 characters.',
      owner_name: 'Give a name of up to 200 characters.',
      email: 'Give an e-mail address, such as ama@example.org.',
      password: 'Choose a password of at least 10 characters.',
    },
  })
  return (
    <Form {...formProps}>
      <TextField name="name" label="Name of the account" placeholder="Acme" autoComplete="off" required />
      <TextField name="owner_name" label="Name of its owner" autoComplete="off" required />
      <TextField name="email" label="E-mail address of its owner" type="email" autoComplete="off" required />
      <TextField
        name="password"
        label="First password of its owner"
        type="password"
        autoComplete="new-password"
        description="At least 10 characters. Ask the owner to change it."
        required
      />
      <SubmitButton pending={pending}>Make account</SubmitButton>
    </Form>
  )
}
