import { Link } from '@tanstack/react-router'
import { signIn } from '#contract/sessions.ts'
import { type Me, signInToPortal } from '#web/api/client/session.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'

export type PasswordFormProps = {
  readonly onEntered: (me: Me) => void
  readonly onCodeDue: () => void
  /** Whether a forgotten password can be chosen anew by mail. */
  readonly mail: boolean
}

export function PasswordForm({ onEntered, onCodeDue, mail }: PasswordFormProps) {
  const { formProps, pending } = useForm({
    schema: signIn,
    submit: signInToPortal,
    onDone: reply => ('user' in reply ? onEntered(reply) : onCodeDue()),
    explain: error => {
      if (error.status === 401) return 'No account has this e-mail address and password.'
      return error.status === 429 ? 'Too many attempts. Try again in a while.' : undefined
    },
  })
  return (
    <Form {...formProps}>
      <TextField
        name="email"
        label="E-mail address"
        type="email"
        autoComplete="username"
        required
        autoFocus
      />
      <TextField name="password" label="Password" type="password" autoComplete="current-password" required />
      <Button look="primary" type="submit" pending={pending}>
        Sign in
      </Button>
      {mail && (
        <Link to="/forgotten-password" className={`${textLinkClasses} self-center text-sm`}>
          Forgot your password?
        </Link>
      )}
    </Form>
  )
}
