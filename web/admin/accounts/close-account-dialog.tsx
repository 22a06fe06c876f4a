import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { closeOneAccount, refreshAccounts } from '#web/api/admin/accounts.ts'
import { useForm } from '#web/api/use-form.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { notify } from '#web/ui/toast.tsx'
import type { ChangeCreditsDialogProps } from './change-credits-dialog.tsx'

/** Asks for the name of an account before it ends for good. */
export function CloseAccountDialog({ account, open, onOpenChange }: ChangeCreditsDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={`Close ${account.name}?`}>
      <CloseForm account={account} onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

type CloseFormProps = Pick<ChangeCreditsDialogProps, 'account'> & { readonly onDone: () => void }

function CloseForm({ account, onDone }: CloseFormProps) {
  const queryClient = useQueryClient()
  const { formProps, pending } = useForm({
    schema: z.object({ confirm: z.string().trim().pipe(z.literal(account.name)) }),
    submit: body => closeOneAccount(account.id, body),
    onDone: () => {
      onDone()
      notify('Account closed', `The keys of ${account.name} are revoked, and its users can not sign in.`)
      void refreshAccounts(queryClient)
    },
    messages: { confirm: 'Type the name as it is written above.' },
  })
  return (
    <Form {...formProps}>
      <div className="flex flex-col gap-2 text-sm text-muted">
        <p>
          All of its keys are revoked for good, and none of its users can stay signed in or sign in again.
        </p>
        <p>Its balance, its ledger and its requests stay. An owner of this service can reopen it.</p>
      </div>
      <TextField name="confirm" label="Name of the account, to confirm" autoComplete="off" required />
      <SubmitButton look="danger" pending={pending}>
        Close account
      </SubmitButton>
    </Form>
  )
}
