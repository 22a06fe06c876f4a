import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { displayName } from '#contract/primitives.ts'
import { changeAccount, refreshAccounts } from '#web/api/admin/accounts.ts'
import { useForm } from '#web/api/use-form.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { ChangeCreditsDialogProps } from './change-credits-dialog.tsx'

/** Gives an account another name. */
export function RenameAccountDialog({ account, open, onOpenChange }: ChangeCreditsDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Rename account">
      <RenameForm account={account} onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

type RenameFormProps = Pick<ChangeCreditsDialogProps, 'account'> & { readonly onDone: () => void }

function RenameForm({ account, onDone }: RenameFormProps) {
  const queryClient = useQueryClient()
  const { formProps, pending } = useForm({
    schema: z.object({ name: displayName }),
    submit: body => changeAccount(account.id, body),
    onDone: () => {
      onDone()
      void refreshAccounts(queryClient)
    },
    messages: { name: 'Give a name of up to 200 characters.' },
  })
  return (
    <Form {...formProps}>
      <TextField name="name" label="Name" defaultValue={account.name} autoComplete="off" required />
      <SubmitButton pending={pending}>Rename account</SubmitButton>
    </Form>
  )
}
