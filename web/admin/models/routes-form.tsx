import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeModel, MODELS, type Model } from '#web/api/admin/models.ts'
import { allProvidersQuery } from '#web/api/admin/providers.ts'
import { changedFields } from '#web/api/changed-fields.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { RowList } from '#web/ui/row-list.tsx'
import { type FieldErrors, stillWrong } from '../catalog/still-wrong.ts'
import { RouteFields } from './route-fields.tsx'
import { type RoutesBody, type RoutesDraft, readRoutes, toRoutesDraft, withRoute } from './routes-draft.ts'
import { RoutingFields } from './routing-fields.tsx'

export type RoutesFormProps = { readonly model: Model; readonly onSaved: () => void }

/** Where a model is served: which routes go first, how those of one order share, and how long they are tried. */
export function RoutesForm({ model, onSaved }: RoutesFormProps) {
  const queryClient = useQueryClient()
  const providers = useQuery(allProvidersQuery)
  const [shown] = useState(() => toRoutesDraft(model))
  const [draft, setDraft] = useState(shown)
  const [errors, setErrors] = useState<FieldErrors>({})
  const save = useMutation({
    mutationFn: (body: Parameters<typeof changeModel>[1]) => changeModel(model.id, body),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: MODELS })
      onSaved()
    },
  })
  const change = (next: RoutesDraft) => {
    setDraft(next)
    const read = readRoutes(next)
    setErrors(shown => stillWrong(shown, read.ok ? {} : read.errors))
  }
  const submit = () => {
    const read = readRoutes(draft)
    setErrors(read.ok ? {} : read.errors)
    if (read.ok) save.mutate(changesOf(shown, read.body))
  }
  const known = providers.data?.data ?? []
  const { routes, routing } = draft
  return (
    <Form errors={errors} failure={save.error?.message} onFormSubmit={submit}>
      <RowList
        rows={routes}
        most={50}
        titleOf={(_route, index) => `Route ${index + 1}`}
        fieldsOf={(route, replace) => <RouteFields route={route} providers={known} onChange={replace} />}
        onChange={changed => change({ ...draft, routes: changed })}
        addLabel="Add route"
        onAdd={() => change(withRoute(draft, known[0]?.id ?? ''))}
        mayAdd={known.length > 0}
      />
      {routes.length === 0 && <p className="text-sm text-muted">Without a route, the model answers 503.</p>}
      <RoutingFields routing={routing} onChange={changed => change({ ...draft, routing: changed })} />
      <div className="flex justify-end">
        <Button look="primary" type="submit" pending={save.isPending}>
          Save routes
        </Button>
      </div>
    </Form>
  )
}

/** Routes alone, or how they are tried alone, where nothing was done to the other. */
function changesOf(shown: RoutesDraft, body: RoutesBody): Partial<RoutesBody> {
  const before = readRoutes(shown)
  return before.ok ? changedFields(body, before.body) : body
}
