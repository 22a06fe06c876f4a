import { resetPassword } from '#contract/sessions.ts'
import { type Realm, resetForgottenPassword } from '#web/api/identity.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'

export type ResetPasswordFormProps = {
  readonly realm: Realm
  /** Of the link in the mail. */
  readonly token: string
  readonly onDone: () => void
}

/** Takes a new password from whoever followed the link in a mail. */
export function ResetPasswordForm({ realm, token, onDone }: ResetPasswordFormProps) {
  const { formProps, pending } = useForm({
    schema: resetPassword.pick({ password: true }),
    submit: ({ password }) => resetForgottenPassword(realm, { token, password }),
    onDone,
    messages: { password: 'Choose a password of at least 10 characters.' },
  })
  return (
    <Form {...formProps}>
      <TextField
        name="password"
        label="New password"
        type="password"
        autoComplete="new-password"
        description="At least 10 characters. All open sessions end."
        required
        autoFocus
      />
      <Button look="primary" type="submit" pending={pending}>
        Set password
      </Button>
    </Form>
  )
}
