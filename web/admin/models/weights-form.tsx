import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { AUDIT } from '#web/api/admin/audit.ts'
import { changeModel, MODELS, type Model, previewChange } from '#web/api/admin/models.ts'
import type { ApiError } from '#web/api/api-error.ts'
import { Form } from '#web/ui/form.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { type FieldErrors, stillWrong } from '../catalog/still-wrong.ts'
import { ChangedMeanwhile } from './changed-meanwhile.tsx'
import { WeightCalculator } from './weight-calculator.tsx'
import { WeightChangeList } from './weight-change-list.tsx'
import { recordedChanges } from './weight-changes.ts'
import { WeightFields } from './weight-fields.tsx'
import { type AllWeights, changedWeights } from './weight-lines.ts'
import { readDraft, toDraft, unitsOf, type WeightsDraft, type WeightsReading } from './weights-draft.ts'
import { WeightsEffect } from './weights-effect.tsx'

export type WeightsFormProps = { readonly model: Model; readonly onSaved: (model: Model) => void }

/** What a model weighs. A change is saved only after its effect was shown, and only on the weights it was shown for. */
export function WeightsForm({ model, onSaved }: WeightsFormProps) {
  const queryClient = useQueryClient()
  const [shown, setShown] = useState(() => weightsOf(model))
  const [draft, setDraft] = useState(() => toDraft(shown.weights, shown.unit_weights))
  const [proposed, setProposed] = useState<AllWeights | null>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const readAnew = () =>
    Promise.all([MODELS, AUDIT].map(queryKey => queryClient.invalidateQueries({ queryKey })))
  // Whoever is refused because of others' weights is shown them.
  const onSettled = (_reply: unknown, error: ApiError | null) => void (error?.status === 409 && readAnew())
  const preview = useMutation({ mutationFn: previewChange, onSettled })
  const save = useMutation({
    mutationFn: (body: Parameters<typeof changeModel>[1]) => changeModel(model.id, body),
    onSettled,
    onSuccess: async saved => {
      await readAnew()
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
    setErrors(known => stillWrong(known, errorsOf(read(next))))
    // What was shown is not the effect of this change, nor was this what could not be saved.
    preview.reset()
    if (save.isError) save.reset()
  }
  const beginAnew = (next: WeightsDraft) => {
    setShown(weightsOf(model))
    change(next)
  }
  const submit = () => {
    const said = read(draft)
    setErrors(errorsOf(said))
    if (!said.ok) return
    const { weights, units: unit_weights } = said
    if (preview.data) return save.mutate({ weights, unit_weights, based_on: shown })
    setProposed({ weights, unit_weights })
    preview.mutate({ model: model.id, weights, unit_weights, based_on: shown })
  }
  const isSaving = save.isPending || save.isSuccess
  const meanwhile = isSaving ? [] : changedWeights(shown, weightsOf(model))
  const hasOthers = meanwhile.length > 0
  const failure = hasOthers ? (
    <ChangedMeanwhile
      modelId={model.id}
      what="weights"
      isChange={entry => recordedChanges([entry]).length > 0}
      onKeep={() => beginAnew(draft)}
      onTake={() => beginAnew(toDraft(model.weights, model.unit_weights))}
    >
      <WeightChangeList changes={meanwhile} />
    </ChangedMeanwhile>
  ) : (
    (save.error ?? preview.error)?.message
  )
  return (
    <div className="flex flex-col gap-5">
      <WeightCalculator
        model={model}
        onSuggested={({ weights }) => change({ ...toDraft(weights), units: draft.units })}
      />
      <Form errors={errors} failure={failure} onFormSubmit={submit}>
        <WeightFields model={model} draft={draft} errors={errors} onChange={change} />
        <div ref={effect} role="status" className="empty:hidden">
          {preview.data && proposed && !hasOthers && (
            <WeightsEffect preview={preview.data} before={shown} after={proposed} />
          )}
        </div>
        <SubmitButton disabled={hasOthers} pending={preview.isPending || save.isPending}>
          {preview.data ? 'Save weights' : 'Show the effect'}
        </SubmitButton>
      </Form>
    </div>
  )
}

function weightsOf({ weights, unit_weights }: Model): AllWeights {
  return { weights, unit_weights }
}

function errorsOf(reading: WeightsReading): FieldErrors {
  return reading.ok ? {} : reading.errors
}
