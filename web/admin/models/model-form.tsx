import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { createModel } from '#contract/catalog.ts'
import { displayName } from '#contract/primitives.ts'
import { type EndpointName, endpointName } from '#contract/usage.ts'
import { changeModel, createOneModel, MODELS, type Model } from '#web/api/admin/models.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { Form } from '#web/ui/form.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { ENDPOINT_LABELS } from '#web/usage/model-words.ts'

/** Words apart by commas. */
const words = z
  .string()
  .transform(text =>
    text
      .split(',')
      .map(word => word.trim())
      .filter(Boolean),
  )
  .pipe(z.array(z.string().max(100)).max(100))

/** A count that may be left empty: unknown. */
const count = z
  .string()
  .trim()
  .transform(text => (text === '' ? null : Number(text.replace(/[ ,]/g, ''))))
  .pipe(z.number('Give a whole number, or nothing.').int().min(0).max(1_000_000_000).nullable())

const description = z
  .string()
  .trim()
  .max(4000)
  .transform(text => (text === '' ? null : text))

/** A model as it is written into the form. */
const modelForm = z.object({
  id: createModel.shape.id,
  name: displayName,
  description,
  owned_by: z.string().trim().min(1).max(200),
  context_window: count,
  max_output_tokens: count,
  input: words,
  output: words,
  capabilities: words,
  endpoints: z.array(endpointName).min(1, 'Choose at least one.'),
})

export type ModelFormProps = {
  /** The model that is changed; null for a new one. */
  readonly model: Model | null
  readonly onSaved: (model: Model) => void
}

/** What a model is and says of itself; what it weighs and where it is served have forms of their own. */
export function ModelForm({ model, onSaved }: ModelFormProps) {
  const queryClient = useQueryClient()
  const { formProps, pending } = useForm({
    schema: modelForm,
    submit: ({ id, input, output, ...fields }) => {
      const body = { ...fields, modalities: { input, output } }
      return model === null ? createOneModel({ id, ...body, enabled: false }) : changeModel(model.id, body)
    },
    messages: {
      id: 'Letters, digits and . _ : @ / + - alone, with a letter or digit first.',
      name: 'Give a name of up to 200 characters.',
    },
    onDone: async saved => {
      await queryClient.invalidateQueries({ queryKey: MODELS })
      onSaved(saved)
    },
  })
  return (
    <Form
      {...formProps}
      onFormSubmit={values =>
        formProps.onFormSubmit({ ...values, id: model?.id ?? values.id, endpoints: chosenEndpoints(values) })
      }
    >
      {model === null && (
        <TextField
          name="id"
          label="Id"
          description="By which callers ask for it; it never changes"
          autoComplete="off"
          spellCheck={false}
          required
        />
      )}
      <TextField name="name" label="Name" defaultValue={model?.name} autoComplete="off" required />
      <TextArea name="description" label="Description" defaultValue={model?.description ?? ''} />
      <TextField name="owned_by" label="Made by" defaultValue={model?.owned_by} autoComplete="off" required />
      <div className="grid gap-4 sm:grid-cols-2">
        <CountField name="context_window" label="Context window" value={model?.context_window} />
        <CountField name="max_output_tokens" label="Most output tokens" value={model?.max_output_tokens} />
        <WordsField name="input" label="Takes" value={model?.modalities.input ?? ['text']} />
        <WordsField name="output" label="Gives" value={model?.modalities.output ?? ['text']} />
      </div>
      <WordsField name="capabilities" label="Capabilities" value={model?.capabilities ?? []} />
      <fieldset>
        <legend className="mb-3 text-sm font-medium">Serves</legend>
        <div className="grid gap-3 sm:grid-cols-2">
          {endpointName.options.map(name => (
            <CheckboxField
              key={name}
              name={fieldOf(name)}
              label={ENDPOINT_LABELS[name]}
              defaultChecked={(model?.endpoints ?? ['chat']).includes(name)}
            />
          ))}
        </div>
        <EndpointError message={formProps.errors.endpoints} />
      </fieldset>
      <div>
        <Button look="primary" type="submit" pending={pending}>
          {model === null ? 'Add model' : 'Save changes'}
        </Button>
      </div>
    </Form>
  )
}

const fieldOf = (name: EndpointName) => `endpoint.${name}`

function chosenEndpoints(values: Record<string, unknown>): EndpointName[] {
  return endpointName.options.filter(name => values[fieldOf(name)] === true)
}

function EndpointError({ message }: { readonly message: string | undefined }) {
  return (
    <p role="alert" className="mt-2 text-sm text-bad empty:hidden">
      {message}
    </p>
  )
}

type CountFieldProps = {
  readonly name: string
  readonly label: string
  readonly value: number | null | undefined
}

function CountField({ name, label, value }: CountFieldProps) {
  return (
    <TextField
      name={name}
      label={label}
      description="in tokens; empty: unknown"
      defaultValue={value == null ? '' : String(value)}
      inputMode="numeric"
    />
  )
}

type WordsFieldProps = { readonly name: string; readonly label: string; readonly value: readonly string[] }

function WordsField({ name, label, value }: WordsFieldProps) {
  return (
    <TextField
      name={name}
      label={label}
      description="words apart by commas"
      defaultValue={value.join(', ')}
      autoComplete="off"
    />
  )
}
