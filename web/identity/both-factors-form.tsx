import { bothFactors } from '#contract/sessions.ts'
import type { Profile } from '#web/api/identity.ts'
import { useForm } from '#web/api/use-form.ts'
import type { ButtonProps } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { CurrentPassword } from './current-password.tsx'

export type BothFactorsFormProps<Reply> = {
  readonly profile: Profile
  readonly submitLabel: string
  readonly look: ButtonProps['look']
  readonly submit: (body: { current_password?: string; code: string }) => Promise<Reply>
  readonly onDone: (reply: Reply) => void
}

/** Asks for the password and a code: what it takes to change a second factor that is on. */
export function BothFactorsForm<Reply>(props: BothFactorsFormProps<Reply>) {
  const { profile, submitLabel, look, submit, onDone } = props
  const { formProps, pending } = useForm({
    schema: bothFactors,
    submit,
    onDone,
    messages: {
      current_password: 'Give your current password.',
      code: 'Give the six digits that the app shows, or a recovery code.',
    },
  })
  return (
    <Form {...formProps}>
      <CurrentPassword profile={profile} />
      <TextField
        name="code"
        label="Code"
        description="Six digits of your app, or a recovery code."
        autoComplete="one-time-code"
        required
      />
      <SubmitButton look={look} pending={pending}>
        {submitLabel}
      </SubmitButton>
    </Form>
  )
}
