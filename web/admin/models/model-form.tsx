import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { createModel } from '#contract/catalog.ts'
import { displayName } from '#contract/primitives.ts'
import { endpointName } from '#contract/usage.ts'
import { changeModel, createOneModel, MODELS, type Model } from '#web/api/admin/models.ts'
import { changedFields } from '#web/api/changed-fields.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { typedCount } from '#web/ui/typed-number.ts'
import { chosenEndpoints, EndpointChoice } from '../catalog/endpoint-choice.tsx'

/** Words apart by commas. */
function words(most: number) {
  return z
    .string()
    .transform(text =>
      text
        .split(',')
        .map(word => word.trim())
        .filter(Boolean),
    )
    .pipe(
      z
        .array(z.string())
        .refine(
          all => all.length <= most && all.every(word => word.length <= 100),
          `Give at most ${most} words of up to 100 letters.`,
        ),
    )
}

/** A count that may be left empty: unknown. */
const count = z
  .string()
  .trim()
  .transform(text => (text === '' ? null : typedCount(text)))
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
  input: words(20),
  output: words(20),
  capabilities: words(100),
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
  // As the fields began: the page may load it anew meanwhile.
  const [shown] = useState(model)
  const { formProps, pending } = useForm({
    schema: modelForm,
    submit: ({ id, input, output, ...fields }) => {
      const body = { ...fields, modalities: { input, output } }
      return shown === null
        ? createOneModel({ id, ...body, enabled: false })
        : changeModel(shown.id, changedFields(body, shown))
    },
    messages: {
      id: 'Letters, digits and . _ : @ / + - alone, with a letter or digit first.',
      name: 'Give a name of up to 200 characters.',
      description: 'Give at most 4,000 characters.',
      owned_by: 'Give a name of up to 200 characters.',
    },
    explain: ({ message }) =>
      message.startsWith('unit_weights.')
        ? 'What it is to serve is charged by units beside tokens. Weigh those first, under “Change weights”.'
        : undefined,
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
      <TextField
        name="name"
        label="Name"
        description="As people see it in the portal and the public catalogue"
        defaultValue={model?.name}
        autoComplete="off"
        required
      />
      <TextArea
        name="description"
        label="Description"
        description="What it is good for, in the catalogue; empty: none"
        defaultValue={model?.description ?? ''}
      />
      <TextField
        name="owned_by"
        label="Made by"
        description="Told as owned_by in the list of models"
        defaultValue={model?.owned_by}
        autoComplete="off"
        required
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <CountField name="context_window" label="Context window" value={model?.context_window} />
        <CountField name="max_output_tokens" label="Most output tokens" value={model?.max_output_tokens} />
        <WordsField
          name="input"
          label="Takes"
          description="such as text, image, audio, file"
          value={model?.modalities.input ?? ['text']}
        />
        <WordsField
          name="output"
          label="Gives"
          description="such as text, image, audio"
          value={model?.modalities.output ?? ['text']}
        />
      </div>
      <WordsField
        name="capabilities"
        label="Capabilities"
        description="Apart by commas, such as tools, vision, reasoning. Told in the catalogue; nothing follows from them."
        value={model?.capabilities ?? []}
      />
      <EndpointChoice
        legend="Serves"
        description="What callers may ask of it; what serves chat serves messages and responses too. Images, sound and rerank are charged by units beside tokens."
        chosen={model?.endpoints ?? ['chat']}
        error={formProps.errors.endpoints}
      />
      <div>
        <Button look="primary" type="submit" pending={pending}>
          {model === null ? 'Add model' : 'Save changes'}
        </Button>
      </div>
    </Form>
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

type WordsFieldProps = {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly value: readonly string[]
}

/** Words that stand apart by commas. */
function WordsField({ name, label, description, value }: WordsFieldProps) {
  return (
    <TextField
      name={name}
      label={label}
      description={description}
      defaultValue={value.join(', ')}
      autoComplete="off"
    />
  )
}
