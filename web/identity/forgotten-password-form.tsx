import { useState } from 'react'
import { forgottenPassword } from '#contract/sessions.ts'
import { askForNewPassword, type Realm } from '#web/api/identity.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'

/** Asks for a link to choose a new password by. Whether anybody has the address, nobody learns here. */
export function ForgottenPasswordForm({ realm }: { readonly realm: Realm }) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { formProps, pending } = useForm({
    schema: forgottenPassword,
    submit: async body => {
      await askForNewPassword(realm, body)
      return body.email
    },
    onDone: setSentTo,
    messages: { email: 'Give your e-mail address.' },
    explain: error =>
      error.status === 429
        ? 'Enough mails were sent for now. Look for them, or try again in a while.'
        : undefined,
  })
  if (sentTo !== null) {
    return (
      <div role="status" className="flex flex-col gap-3 text-sm">
        <p>
          If there is an account with the address <strong className="wrap-anywhere">{sentTo}</strong>, a mail
          with a link is on its way to it.
        </p>
        <p className="text-muted">
          The link is good for one hour and works once. Look into the spam folder, too.
        </p>
      </div>
    )
  }
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
      <Button look="primary" type="submit" pending={pending}>
        Send me a link
      </Button>
    </Form>
  )
}
