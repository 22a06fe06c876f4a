import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AUDIT, type AuditEntry } from '#web/api/admin/audit.ts'
import { changeModel, MODELS, type Model } from '#web/api/admin/models.ts'
import { allProvidersQuery } from '#web/api/admin/providers.ts'
import { changedMembers } from '#web/api/changed-fields.ts'
import { Form } from '#web/ui/form.tsx'
import { RowList } from '#web/ui/row-list.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { type FieldErrors, stillWrong } from '../catalog/still-wrong.ts'
import { ChangedMeanwhile } from './changed-meanwhile.tsx'
import { RouteFields } from './route-fields.tsx'
import {
  type RoutesBody,
  type RoutesDraft,
  readRoutes,
  sayingOf,
  toRoutesDraft,
  withRoute,
} from './routes-draft.ts'
import { RoutingFields } from './routing-fields.tsx'

export type RoutesFormProps = { readonly model: Model; readonly onSaved: () => void }

/** Where a model is served: which routes go first, how those of one order share, and how long they are tried. */
export function RoutesForm({ model, onSaved }: RoutesFormProps) {
  const queryClient = useQueryClient()
  const providers = useQuery(allProvidersQuery)
  // As the form began: the page may load the model anew meanwhile.
  const [shown, setShown] = useState(model)
  const [draft, setDraft] = useState(() => toRoutesDraft(model))
  const [errors, setErrors] = useState<FieldErrors>({})
  const readAnew = () =>
    Promise.all([MODELS, AUDIT].map(queryKey => queryClient.invalidateQueries({ queryKey })))
  const save = useMutation({
    mutationFn: (body: Parameters<typeof changeModel>[1]) => changeModel(model.id, body),
    onSuccess: async () => {
      await readAnew()
      onSaved()
    },
    // Whoever is refused because of others' routes is shown them.
    onSettled: (_reply, error) => void (error?.status === 409 && readAnew()),
  })
  const change = (next: RoutesDraft) => {
    setDraft(next)
    const read = readRoutes(next)
    setErrors(known => stillWrong(known, read.ok ? {} : read.errors))
  }
  const beginAnew = (next: RoutesDraft) => {
    setShown({ ...shown, routes: model.routes })
    save.reset()
    change(next)
  }
  const submit = () => {
    const read = readRoutes(draft)
    setErrors(read.ok ? {} : read.errors)
    if (read.ok) save.mutate(changesOf(shown, read.body))
  }
  const known = providers.data?.data ?? []
  const { routes, routing } = draft
  const isSaving = save.isPending || save.isSuccess
  const hasOthers = !isSaving && sayingOf(shown.routes) !== sayingOf(model.routes)
  const failure = hasOthers ? (
    <ChangedMeanwhile
      modelId={model.id}
      what="routes"
      isChange={({ before, after }) => routesIn(before) !== routesIn(after)}
      onKeep={() => beginAnew(draft)}
      onTake={() => beginAnew({ ...draft, routes: toRoutesDraft(model).routes })}
    >
      {model.routes.length === 0 && <li>There is none now.</li>}
      {model.routes.map(({ id, provider_id, upstream_model, priority }) => (
        <li key={id} className="break-words">
          Now {upstream_model} at {known.find(each => each.id === provider_id)?.name ?? provider_id}, order{' '}
          {priority}
        </li>
      ))}
    </ChangedMeanwhile>
  ) : (
    save.error?.message
  )
  return (
    <Form errors={errors} failure={failure} onFormSubmit={submit}>
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
      <SubmitButton disabled={hasOthers} pending={save.isPending}>
        Save routes
      </SubmitButton>
    </Form>
  )
}

/** What is not as it was shown: routes all together, on those that were shown, and of how they are tried each by itself. */
function changesOf(shown: Model, body: RoutesBody) {
  const before = readRoutes(toRoutesDraft(shown))
  const changed = before.ok ? changedMembers(body, before.body) : body
  return changed.routes === undefined ? changed : { ...changed, based_on: { routes: shown.routes } }
}

/** What an entry of the audit log says of routes. */
function routesIn(record: AuditEntry['before']): string | null {
  const routes = typeof record === 'object' && record !== null && 'routes' in record ? record.routes : null
  return Array.isArray(routes) ? sayingOf(routes) : null
}
