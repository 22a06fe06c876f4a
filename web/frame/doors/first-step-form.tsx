import { Link } from '@tanstack/react-router'
import type { z } from 'zod'
import { signIn } from '#contract/sessions.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'

export type FirstStepFormProps<Me> = {
  /** null when a second factor is due before anybody is signed in. */
  readonly submit: (body: z.output<typeof signIn>) => Promise<Me | null>
  readonly onEntered: (me: Me) => void
  readonly onCodeDue: () => void
  /** Whether a forgotten password can be chosen anew by mail. */
  readonly mail: boolean
}

/** The first factor, by password. */
export function FirstStepForm<Me>({ submit, onEntered, onCodeDue, mail }: FirstStepFormProps<Me>) {
  const { formProps, pending } = useForm({
    schema: signIn,
    submit,
    onDone: me => (me === null ? onCodeDue() : onEntered(me)),
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
