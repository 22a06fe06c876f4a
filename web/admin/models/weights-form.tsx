import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AUDIT } from '#web/api/admin/audit.ts'
import { changeModel, MODELS, type Model, previewChange } from '#web/api/admin/models.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { formatCount } from '#web/ui/numbers.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { BUCKETS, LONGER_LIFE, UNIT_LABELS } from '#web/usage/model-words.ts'
import { WeightCalculator } from './weight-calculator.tsx'
import { readDraft, toDraft, unitsOf, type WeightsDraft } from './weights-draft.ts'
import { WeightsEffect } from './weights-effect.tsx'

export type WeightsFormProps = { readonly model: Model; readonly onSaved: (model: Model) => void }

/** What a model weighs. A change is saved only after its effect was shown. */
export function WeightsForm({ model, onSaved }: WeightsFormProps) {
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState(() => toDraft(model.weights, model.unit_weights))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const preview = useMutation({ mutationFn: previewChange })
  const save = useMutation({
    mutationFn: (body: Parameters<typeof changeModel>[1]) => changeModel(model.id, body),
    onSuccess: async saved => {
      await Promise.all([MODELS, AUDIT].map(queryKey => queryClient.invalidateQueries({ queryKey })))
      onSaved(saved)
    },
  })
  const change = (next: WeightsDraft) => {
    setDraft(next)
    // What was shown is not the effect of this change.
    preview.reset()
  }
  const submit = () => {
    const read = readDraft(draft)
    setErrors(read.ok ? {} : { [read.field]: 'Give a number of 0 or more.' })
    if (!read.ok) return
    if (!preview.data) return preview.mutate({ model: model.id, weights: read.weights })
    save.mutate({ weights: read.weights, ...(unitsOf(model).length > 0 ? { unit_weights: read.units } : {}) })
  }
  const failure = (save.error ?? preview.error)?.message
  return (
    <Form errors={errors} failure={failure} onFormSubmit={submit}>
      <WeightCalculator
        model={model}
        onSuggested={({ weights }) => change({ ...toDraft(weights), units: draft.units })}
      />
      <WeightFields model={model} draft={draft} onChange={change} />
      <div role="status" className="empty:hidden">
        {preview.data && <WeightsEffect preview={preview.data} />}
      </div>
      <div className="flex justify-end">
        <Button look="primary" type="submit" pending={preview.isPending || save.isPending}>
          {preview.data ? 'Save weights' : 'Show the effect'}
        </Button>
      </div>
    </Form>
  )
}

type WeightFieldsProps = {
  readonly model: Model
  readonly draft: WeightsDraft
  readonly onChange: (draft: WeightsDraft) => void
}

function WeightFields({ model, draft, onChange }: WeightFieldsProps) {
  const units = unitsOf(model)
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {[...BUCKETS, LONGER_LIFE].map(({ bucket, label }) => (
          <TextField
            key={bucket}
            name={bucket}
            label={label}
            description={
              bucket === 'cache_write_1h'
                ? 'Left empty: as other cache writes'
                : 'credits for a million tokens'
            }
            value={draft.texts[bucket]}
            onValueChange={text => onChange({ ...draft, texts: { ...draft.texts, [bucket]: text } })}
            inputMode="decimal"
            autoComplete="off"
          />
        ))}
        {UNIT_LABELS.filter(({ unit }) => units.includes(unit)).map(({ unit, label, per }) => (
          <TextField
            key={unit}
            name={unit}
            label={label}
            description={`credits ${per}`}
            value={draft.units[unit] ?? ''}
            onValueChange={text => onChange({ ...draft, units: { ...draft.units, [unit]: text } })}
            inputMode="decimal"
            autoComplete="off"
          />
        ))}
      </div>
      {draft.tiers && draft.tiers.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-md border border-line px-4 py-3 text-sm">
          <p>
            Longer requests weigh otherwise:{' '}
            {draft.tiers
              .map(
                ({ above_input_tokens, weights }) =>
                  `above ${formatCount(above_input_tokens)} input tokens ${weights.input} in, ${weights.output} out`,
              )
              .join('; ')}
          </p>
          <Button size="small" onClick={() => onChange({ ...draft, tiers: undefined })}>
            Weigh all alike
          </Button>
        </div>
      )}
    </>
  )
}
