import { signUp } from '#contract/sessions.ts'
import { type Me, signUpToPortal } from '#web/api/client/session.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'

export function SignUpForm({ onEntered }: { readonly onEntered: (me: Me) => void }) {
  const { formProps, pending } = useForm({
    schema: signUp,
    submit: signUpToPortal,
    onDone: onEntered,
    messages: {
      name: 'Give a name of up to 200 characters.',
      email: 'Give an e-mail address, such as ama@example.org.',
      password: 'Choose a password of at least 10 characters.',
    },
  })
  return (
    <Form {...formProps}>
      <TextField name="name" label="Name" autoComplete="name" required autoFocus />
      <TextField name="email" label="E-mail address" type="email" autoComplete="username" required />
      <TextField
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        description="At least 10 characters."
        required
      />
      <Button look="primary" type="submit" pending={pending}>
        Create account
      </Button>
    </Form>
  )
}
