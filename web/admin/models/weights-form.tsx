import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { AUDIT } from '#web/api/admin/audit.ts'
import { changeModel, MODELS, type Model, previewChange } from '#web/api/admin/models.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { type FieldErrors, stillWrong } from '../catalog/still-wrong.ts'
import { WeightCalculator } from './weight-calculator.tsx'
import { WeightFields } from './weight-fields.tsx'
import type { AllWeights } from './weight-lines.ts'
import { readDraft, toDraft, unitsOf, type WeightsDraft, type WeightsReading } from './weights-draft.ts'
import { WeightsEffect } from './weights-effect.tsx'

export type WeightsFormProps = { readonly model: Model; readonly onSaved: (model: Model) => void }

/** What a model weighs. A change is saved only after its effect was shown. */
export function WeightsForm({ model, onSaved }: WeightsFormProps) {
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState(() => toDraft(model.weights, model.unit_weights))
  const [proposed, setProposed] = useState<AllWeights | null>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const preview = useMutation({ mutationFn: previewChange })
  const save = useMutation({
    mutationFn: (body: Parameters<typeof changeModel>[1]) => changeModel(model.id, body),
    onSuccess: async saved => {
      await Promise.all([MODELS, AUDIT].map(queryKey => queryClient.invalidateQueries({ queryKey })))
      onSaved(saved)
    },
  })
  const read = (written: WeightsDraft) => readDraft(written, model.enabled ? unitsOf(model) : [])
  const effect = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // It stands below all fields, and would else appear out of sight.
    if (preview.data) effect.current?.scrollIntoView({ block: 'start' })
  }, [preview.data])
  const change = (next: WeightsDraft) => {
    setDraft(next)
    setErrors(shown => stillWrong(shown, errorsOf(read(next))))
    // What was shown is not the effect of this change.
    preview.reset()
  }
  const submit = () => {
    const said = read(draft)
    setErrors(errorsOf(said))
    if (!said.ok) return
    const { weights, units: unit_weights } = said
    if (preview.data) return save.mutate({ weights, unit_weights })
    setProposed({ weights, unit_weights })
    preview.mutate({ model: model.id, weights, unit_weights })
  }
  const failure = (save.error ?? preview.error)?.message
  return (
    <Form errors={errors} failure={failure} onFormSubmit={submit}>
      <WeightCalculator
        model={model}
        onSuggested={({ weights }) => change({ ...toDraft(weights), units: draft.units })}
      />
      <WeightFields model={model} draft={draft} errors={errors} onChange={change} />
      <div ref={effect} role="status" className="empty:hidden">
        {preview.data && proposed && <WeightsEffect preview={preview.data} before={model} after={proposed} />}
      </div>
      <div className="flex justify-end">
        <Button look="primary" type="submit" pending={preview.isPending || save.isPending}>
          {preview.data ? 'Save weights' : 'Show the effect'}
        </Button>
      </div>
    </Form>
  )
}

function errorsOf(reading: WeightsReading): FieldErrors {
  return reading.ok ? {} : reading.errors
}
