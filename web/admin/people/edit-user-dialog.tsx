import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { displayName, emailAddress, newPassword } from '#contract/primitives.ts'
import { ACCOUNTS } from '#web/api/admin/accounts.ts'
import { changeUser, USERS, type User } from '#web/api/admin/users.ts'
import { changedFields } from '#web/api/changed-fields.ts'
import { useForm } from '#web/api/use-form.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { notify } from '#web/ui/toast.tsx'
import { FirstPassword, PERSON_MESSAGES, PersonFields } from './user-fields.tsx'

export type UserDialogProps = {
  /** Whom to change; null while nobody asks for it. */
  readonly user: User | null
  readonly onClose: () => void
}

/** Changes the name or the address of a user. */
export function EditUserDialog({ user, onClose }: UserDialogProps) {
  return (
    <Dialog
      open={user !== null}
      onOpenChange={open => !open && onClose()}
      title="Edit user"
      description="Links that were sent to an old address open nothing any more."
    >
      {user && <EditForm user={user} onDone={onClose} />}
    </Dialog>
  )
}

/** Chooses a new password for a user. */
export function SetPasswordDialog({ user, onClose }: UserDialogProps) {
  return (
    <Dialog
      open={user !== null}
      onOpenChange={open => !open && onClose()}
      title={`New password for ${user?.name ?? 'the user'}`}
      description="All of their sessions end."
    >
      {user && <PasswordForm user={user} onDone={onClose} />}
    </Dialog>
  )
}

type UserFormProps = { readonly user: User; readonly onDone: () => void }

function EditForm({ user, onDone }: UserFormProps) {
  const queryClient = useQueryClient()
  // As the fields began: the list may load it anew meanwhile.
  const [shown] = useState(user)
  const { formProps, pending } = useForm({
    schema: z.object({ name: displayName, email: emailAddress }),
    submit: body => changeUser(shown.id, changedFields(body, shown)),
    onDone: () => {
      onDone()
      notify('User saved')
      void queryClient.invalidateQueries({ queryKey: USERS })
      void queryClient.invalidateQueries({ queryKey: ACCOUNTS })
    },
    messages: PERSON_MESSAGES,
  })
  return (
    <Form {...formProps}>
      <PersonFields person={user} />
      <SubmitButton pending={pending}>Save</SubmitButton>
    </Form>
  )
}

function PasswordForm({ user, onDone }: UserFormProps) {
  const { formProps, pending } = useForm({
    schema: z.object({ password: newPassword }),
    submit: body => changeUser(user.id, body),
    onDone: ({ email }) => {
      onDone()
      notify('Password set', `${email} signs in with it from now on.`)
    },
    messages: PERSON_MESSAGES,
  })
  return (
    <Form {...formProps}>
      <FirstPassword label="New password" />
      <SubmitButton pending={pending}>Set password</SubmitButton>
    </Form>
  )
}
