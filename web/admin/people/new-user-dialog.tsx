import { useQueryClient } from '@tanstack/react-query'
import { createUser } from '#contract/accounts.ts'
import { ACCOUNTS } from '#web/api/admin/accounts.ts'
import { makeUser, USERS } from '#web/api/admin/users.ts'
import { useForm } from '#web/api/use-form.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { notify } from '#web/ui/toast.tsx'
import { FirstPassword, PERSON_MESSAGES, PersonFields } from './user-fields.tsx'

export type NewUserDialogProps = {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** The account to join; without it the user gets one of their own. */
  readonly accountId?: string
}

/** Makes a user, who can sign in to the portal. */
export function NewUserDialog({ open, onOpenChange, accountId }: NewUserDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New user"
      description={
        accountId === undefined
          ? 'The user gets an account of their own.'
          : 'The user joins this account and shares its credits.'
      }
    >
      <NewUserForm accountId={accountId} onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

type NewUserFormProps = Pick<NewUserDialogProps, 'accountId'> & { readonly onDone: () => void }

function NewUserForm({ accountId, onDone }: NewUserFormProps) {
  const queryClient = useQueryClient()
  const { formProps, pending } = useForm({
    schema: createUser.omit({ account_id: true }),
    submit: body => makeUser({ ...body, account_id: accountId }),
    onDone: ({ email }) => {
      onDone()
      notify('User made', `${email} can sign in with the password that you chose.`)
      void queryClient.invalidateQueries({ queryKey: USERS })
      void queryClient.invalidateQueries({ queryKey: ACCOUNTS })
    },
    messages: PERSON_MESSAGES,
  })
  return (
    <Form {...formProps}>
      <PersonFields />
      <FirstPassword />
      <SubmitButton pending={pending}>Make user</SubmitButton>
    </Form>
  )
}
