import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isOpenaiCompatible } from '#contract/provider-kinds.ts'
import {
  changeProvider,
  createOneProvider,
  PROVIDERS,
  type Provider,
  type ProviderTest,
  tryProvider,
} from '#web/api/admin/providers.ts'
import { changedFields } from '#web/api/changed-fields.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { Form } from '#web/ui/form.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { chosenEndpoints, EndpointChoice } from '../catalog/endpoint-choice.tsx'
import { type FurtherDraft, toFurtherDrafts } from './further-credentials.ts'
import { FurtherCredentialsFields } from './further-credentials-fields.tsx'
import { addressHint, credentialHint, KIND_CHOICES } from './kind-words.ts'
import {
  isMoving,
  type ProviderValues,
  providerForm,
  toFormDefaults,
  toKind,
  toProviderBody,
} from './provider-form-schema.ts'
import { Verdict } from './verdict.tsx'

type Serves = 'all' | 'chosen'

const SERVES: readonly { readonly value: Serves; readonly label: string }[] = [
  { value: 'all', label: 'All that its kind serves' },
  { value: 'chosen', label: 'Only what is chosen' },
]

export type ProviderFormProps = {
  /** The provider that is changed; null for a new one. */
  readonly provider: Provider | null
  readonly onSaved: (provider: Provider) => void
}

/** All that is to be known of a provider; it can be tried before it is saved. */
export function ProviderForm({ provider, onSaved }: ProviderFormProps) {
  const queryClient = useQueryClient()
  const intent = useRef<'save' | 'test'>('save')
  // As the fields began: the page may load it anew meanwhile.
  const [shown] = useState(provider)
  const [kind, setKind] = useState(provider?.kind ?? 'openai')
  const [further, setFurther] = useState<readonly FurtherDraft[]>(() => toFurtherDrafts(provider))
  const [serves, setServes] = useState<Serves>(provider?.endpoints ? 'chosen' : 'all')
  const [address, setAddress] = useState(provider?.base_url ?? '')
  const [takesAway, setTakesAway] = useState(false)
  const isMoved = isMoving(shown, address)
  const [verdict, setVerdict] = useState<ProviderTest | null>(null)
  const { formProps, pending, forgetErrors } = useForm({
    schema: providerForm,
    submit: (values): Promise<Provider | ProviderTest> =>
      intent.current === 'test' ? tryOut(values, provider) : save(values, shown),
    messages: { name: 'Give a name of up to 200 characters.' },
    refusable: { fields: ['base_url', 'credential', 'headers', 'endpoints'], lists: ['further_credentials'] },
    onDone: reply => {
      if (reply.object === 'provider_test') return setVerdict(reply)
      void queryClient.invalidateQueries({ queryKey: PROVIDERS })
      onSaved(reply)
    },
  })
  const defaults = toFormDefaults(provider)
  const hasError = (...names: readonly string[]) =>
    Object.keys(formProps.errors).some(field => names.some(name => field.startsWith(name)))
  return (
    <Form
      {...formProps}
      onFormSubmit={values => {
        setVerdict(null)
        formProps.onFormSubmit({
          kind,
          ...values,
          further_credentials: further,
          endpoints: serves === 'all' ? null : chosenEndpoints(values),
        })
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
        value={address}
        onValueChange={setAddress}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
      <TextArea
        name="credential"
        label="Credential"
        description={shown?.has_credential ? storedHint(isMoved) : credentialHint(kind)}
        required={isMoved && shown?.has_credential === true && !takesAway}
        autoComplete="off"
        spellCheck={false}
      />
      {provider?.has_credential && (
        <CheckboxField
          name="remove_credential"
          label="Take the stored credential away"
          description="For a server that asks for none."
          onCheckedChange={setTakesAway}
        />
      )}
      <Disclosure
        summary={further.length === 0 ? 'Further credentials' : `Further credentials (${further.length})`}
        hasError={hasError('further_credentials')}
      >
        <FurtherCredentialsFields
          drafts={further}
          isMoved={isMoved}
          onChange={drafts => {
            setFurther(drafts)
            forgetErrors()
          }}
        />
      </Disclosure>
      {isOpenaiCompatible(kind) && (
        <Disclosure summary="What it serves" hasError={hasError('endpoints')}>
          <SelectField
            label="This server serves"
            choices={SERVES}
            value={serves}
            onValueChange={value => setServes(value === 'chosen' ? 'chosen' : 'all')}
          />
          {serves === 'chosen' && (
            <EndpointChoice
              legend="It serves itself"
              description="Leave out what this server lacks. Messages and responses that it lacks are translated to chat; whatever else it lacks goes to other routes."
              chosen={provider?.endpoints ?? ['chat']}
              error={formProps.errors.endpoints}
            />
          )}
        </Disclosure>
      )}
      <Disclosure
        summary="Timeouts and headers"
        hasError={hasError('connect', 'first_byte', 'idle', 'headers')}
      >
        <div className="grid gap-4 sm:grid-cols-3">
          <Seconds name="connect" label="To connect" value={defaults.connect} />
          <Seconds name="first_byte" label="To the first byte" value={defaults.first_byte} />
          <Seconds name="idle" label="Between two pieces" value={defaults.idle} />
        </div>
        <TextArea
          name="headers"
          label="Extra headers"
          description="Sent with every request. One a line, as in x-team: gold. All are encrypted; values that may be secrets are shown as •••, which left as it is keeps them, but for another server."
          defaultValue={defaults.headers}
          spellCheck={false}
        />
      </Disclosure>
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
        {toKind(kind) !== null && (
          <Button
            type="submit"
            pending={pending && intent.current === 'test'}
            onClick={() => {
              intent.current = 'test'
            }}
          >
            Test connection
          </Button>
        )}
      </div>
    </Form>
  )
}

function storedHint(isMoved: boolean): string {
  return isMoved
    ? 'Needed again: the address is that of another server, and what is stored is not sent there.'
    : 'Left empty: the one that is stored.'
}

type SecondsProps = { readonly name: string; readonly label: string; readonly value: string }

function Seconds({ name, label, value }: SecondsProps) {
  return (
    <TextField name={name} label={label} description="seconds" defaultValue={value} inputMode="decimal" />
  )
}

function save(values: ProviderValues, provider: Provider | null): Promise<Provider> {
  const body = toProviderBody(values, provider)
  if (provider !== null) return changeProvider(provider.id, changedFields(body, provider))
  return createOneProvider({ ...body, kind: toKind(values.kind) ?? 'openai' })
}

function tryOut(values: ProviderValues, provider: Provider | null): Promise<ProviderTest> {
  const { name: _, ...body } = toProviderBody(values, provider)
  const kind = toKind(values.kind) ?? 'openai'
  return tryProvider({ ...body, kind, ...(provider === null ? {} : { provider_id: provider.id }) })
}
