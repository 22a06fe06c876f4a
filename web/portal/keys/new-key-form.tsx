import { createClientKey } from '#contract/keys.ts'
import { type CreatedKey, createKey } from '#web/api/client/keys.ts'
import { useForm } from '#web/api/use-form.ts'
import { EXPIRIES, expiryOf } from '#web/keys/expiry.ts'
import { Form } from '#web/ui/form.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

export type NewKeyFormProps = {
  readonly onCreated: (key: CreatedKey) => void
  /** What the name begins as. */
  readonly firstName?: string
}

export function NewKeyForm({ onCreated, firstName }: NewKeyFormProps) {
  const { formProps, pending } = useForm({
    schema: createClientKey,
    submit: createKey,
    onDone: onCreated,
    messages: { name: 'Give a name of up to 200 characters.' },
  })
  const { onFormSubmit } = formProps
  return (
    <Form
      {...formProps}
      onFormSubmit={({ name, expiry }) => {
        onFormSubmit({ name, expires_at: expiryOf(expiry) })
      }}
    >
      <TextField
        name="name"
        label="Name"
        placeholder="billing-service"
        defaultValue={firstName}
        autoComplete="off"
        required
      />
      <SelectField name="expiry" label="Expires" choices={EXPIRIES} defaultValue="never" />
      <SubmitButton pending={pending}>Make key</SubmitButton>
    </Form>
  )
}
