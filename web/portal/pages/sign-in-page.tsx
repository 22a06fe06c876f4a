import { getRouteApi, Link } from '@tanstack/react-router'
import { signIn } from '#contract/sessions.ts'
import { signInToPortal } from '#web/api/client/session.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { DoorLayout } from '../layout/door-layout.tsx'
import { useEntering } from '../layout/use-entering.ts'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { from } = route.useSearch()
  const { formProps, pending } = useForm({
    schema: signIn,
    submit: signInToPortal,
    onDone: useEntering(from),
    explain: error => (error.status === 401 ? 'No account has this e-mail address and password.' : undefined),
  })
  return (
    <DoorLayout
      title="Sign in"
      foot={
        <>
          No account yet?{' '}
          <Link to="/sign-up" search={{ from }} className={textLinkClasses}>
            Sign up
          </Link>
        </>
      }
    >
      <Form {...formProps}>
        <TextField
          name="email"
          label="E-mail address"
          type="email"
          autoComplete="username"
          required
          autoFocus
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          required
        />
        <Button look="primary" type="submit" pending={pending}>
          Sign in
        </Button>
      </Form>
    </DoorLayout>
  )
}
