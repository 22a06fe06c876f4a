import { createClientKey } from '#contract/keys.ts'
import { type CreatedKey, createKey } from '#web/api/client/keys.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'

const DAY_MS = 24 * 60 * 60 * 1000

const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

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
        const expires_at =
          expiry === 'never' ? null : new Date(Date.now() + Number(expiry) * DAY_MS).toISOString()
        onFormSubmit({ name, expires_at })
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
      <div className="flex justify-end">
        <Button look="primary" type="submit" pending={pending}>
          Make key
        </Button>
      </div>
    </Form>
  )
}
