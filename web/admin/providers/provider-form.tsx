import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import {
  changeProvider,
  createOneProvider,
  PROVIDERS,
  type Provider,
  type ProviderTest,
  tryProvider,
} from '#web/api/admin/providers.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { addressHint, credentialHint, KIND_CHOICES } from './kind-words.ts'
import { type ProviderValues, providerForm, toFormDefaults, toProviderBody } from './provider-form-schema.ts'
import { Verdict } from './verdict.tsx'

export type ProviderFormProps = {
  /** The provider that is changed; null for a new one. */
  readonly provider: Provider | null
  readonly onSaved: (provider: Provider) => void
}

/** All that is to be known of a provider; it can be tried before it is saved. */
export function ProviderForm({ provider, onSaved }: ProviderFormProps) {
  const queryClient = useQueryClient()
  const intent = useRef<'save' | 'test'>('save')
  const [kind, setKind] = useState(provider?.kind ?? 'openai')
  const [verdict, setVerdict] = useState<ProviderTest | null>(null)
  const { formProps, pending } = useForm({
    schema: providerForm,
    submit: (values): Promise<Provider | ProviderTest> =>
      intent.current === 'test' ? tryOut(values, provider) : save(values, provider),
    messages: { name: 'Give a name of up to 200 characters.' },
    onDone: reply => {
      if (reply.object === 'provider_test') return setVerdict(reply)
      void queryClient.invalidateQueries({ queryKey: PROVIDERS })
      onSaved(reply)
    },
  })
  const defaults = toFormDefaults(provider)
  return (
    <Form
      {...formProps}
      onFormSubmit={values => {
        setVerdict(null)
        formProps.onFormSubmit({ kind, ...values })
      }}
    >
      <TextField name="name" label="Name" defaultValue={provider?.name} autoComplete="off" required />
      {provider === null && (
        <SelectField name="kind" label="Kind" choices={KIND_CHOICES} value={kind} onValueChange={setKind} />
      )}
      <TextField
        name="base_url"
        label="Base URL"
        description={addressHint(kind)}
        defaultValue={provider?.base_url}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
      <TextArea
        name="credential"
        label="Credential"
        description={provider?.has_credential ? 'Left empty: the one that is stored.' : credentialHint(kind)}
        autoComplete="off"
        spellCheck={false}
      />
      <details className="rounded-md border border-line px-4 py-3">
        <summary className="cursor-pointer text-sm font-medium">Timeouts and headers</summary>
        <div className="mt-4 flex flex-col gap-5">
          <div className="grid gap-4 sm:grid-cols-3">
            <Seconds name="connect" label="To connect" value={defaults.connect} />
            <Seconds name="first_byte" label="To the first byte" value={defaults.first_byte} />
            <Seconds name="idle" label="Between two pieces" value={defaults.idle} />
          </div>
          <TextArea
            name="headers"
            label="Extra headers"
            description="One a line, as in x-team: gold. Values that may be secrets are shown as •••, and kept as they are."
            defaultValue={defaults.headers}
            spellCheck={false}
          />
        </div>
      </details>
      <div role="status" className="empty:hidden">
        {verdict && <Verdict test={verdict} />}
      </div>
      <div className="flex flex-wrap gap-3">
        <Button
          look="primary"
          type="submit"
          pending={pending && intent.current === 'save'}
          onClick={() => {
            intent.current = 'save'
          }}
        >
          {provider === null ? 'Add provider' : 'Save changes'}
        </Button>
        <Button
          type="submit"
          pending={pending && intent.current === 'test'}
          onClick={() => {
            intent.current = 'test'
          }}
        >
          Test connection
        </Button>
      </div>
    </Form>
  )
}

function Seconds({
  name,
  label,
  value,
}: {
  readonly name: string
  readonly label: string
  readonly value: string
}) {
  return (
    <TextField
      name={name}
      label={label}
      description="seconds"
      defaultValue={value}
      inputMode="decimal"
      required
    />
  )
}

function save({ kind, ...values }: ProviderValues, provider: Provider | null): Promise<Provider> {
  const body = toProviderBody({ kind, ...values })
  return provider === null ? createOneProvider(body) : changeProvider(provider.id, body)
}

function tryOut(values: ProviderValues, provider: Provider | null): Promise<ProviderTest> {
  const { name: _, ...body } = toProviderBody(values)
  return tryProvider({ ...body, ...(provider === null ? {} : { provider_id: provider.id }) })
}
