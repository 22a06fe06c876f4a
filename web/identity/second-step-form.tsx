import { useState } from 'react'
import { secondStep } from '#contract/sessions.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'

export type SecondStepFormProps<Me> = {
  readonly submit: (body: { code: string }) => Promise<Me>
  readonly onDone: (me: Me) => void
  /** Back to the first factor. */
  readonly onStartOver: () => void
}

/** Asks for the second factor: a code of the app, or a recovery code. */
export function SecondStepForm<Me>({ submit, onDone, onStartOver }: SecondStepFormProps<Me>) {
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(false)
  const { formProps, pending, reset } = useForm({
    schema: secondStep,
    submit,
    onDone,
    messages: {
      code: usesRecoveryCode ? 'Give one of your recovery codes.' : 'Give the six digits that the app shows.',
    },
  })
  return (
    <Form {...formProps}>
      {usesRecoveryCode ? (
        <TextField
          key="recovery"
          name="code"
          label="Recovery code"
          description="One of those you were shown when you switched the second factor on. Each works once."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          autoFocus
        />
      ) : (
        <TextField
          key="app"
          name="code"
          label="Code"
          description="The six digits that your authenticator app shows now."
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          required
          autoFocus
        />
      )}
      <Button look="primary" type="submit" pending={pending}>
        Sign in
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button
          look="quiet"
          size="small"
          onClick={() => {
            setUsesRecoveryCode(!usesRecoveryCode)
            reset()
          }}
        >
          {usesRecoveryCode ? 'Use the app instead' : 'Use a recovery code'}
        </Button>
        <Button look="quiet" size="small" onClick={onStartOver}>
          Start over
        </Button>
      </div>
    </Form>
  )
}
