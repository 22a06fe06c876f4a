import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { AUDIT } from '#web/api/admin/audit.ts'
import { changeModel, MODELS, type Model, previewChange } from '#web/api/admin/models.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { WeightCalculator } from './weight-calculator.tsx'
import { WeightFields } from './weight-fields.tsx'
import type { AllWeights } from './weight-lines.ts'
import { readDraft, toDraft, unitsOf, type WeightsDraft } from './weights-draft.ts'
import { WeightsEffect } from './weights-effect.tsx'

export type WeightsFormProps = { readonly model: Model; readonly onSaved: (model: Model) => void }

/** What a model weighs. A change is saved only after its effect was shown. */
export function WeightsForm({ model, onSaved }: WeightsFormProps) {
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState(() => toDraft(model.weights, model.unit_weights))
  const [proposed, setProposed] = useState<AllWeights | null>(null)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const preview = useMutation({ mutationFn: previewChange })
  const save = useMutation({
    mutationFn: (body: Parameters<typeof changeModel>[1]) => changeModel(model.id, body),
    onSuccess: async saved => {
      await Promise.all([MODELS, AUDIT].map(queryKey => queryClient.invalidateQueries({ queryKey })))
      onSaved(saved)
    },
  })
  const effect = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // It stands below all fields, and would else appear out of sight.
    if (preview.data) effect.current?.scrollIntoView({ block: 'start' })
  }, [preview.data])
  const change = (next: WeightsDraft) => {
    setDraft(next)
    // What was shown is not the effect of this change.
    preview.reset()
  }
  const submit = () => {
    const read = readDraft(draft, model.enabled ? unitsOf(model) : [])
    setErrors(read.ok ? {} : read.errors)
    if (!read.ok) return
    const { weights, units: unit_weights } = read
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
      <WeightFields model={model} draft={draft} onChange={change} />
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
