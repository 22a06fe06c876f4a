import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { type RoutingOrder, routeInput } from '#contract/catalog.ts'
import { changeModel, MODELS, type Model } from '#web/api/admin/models.ts'
import { allProvidersQuery, type Provider } from '#web/api/admin/providers.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { ORDERS } from './routing-words.ts'

/** A route as it is written into fields; the number only tells rows apart. */
type RouteDraft = {
  readonly row: number
  readonly provider: string
  readonly upstreamModel: string
  readonly priority: string
  readonly weight: string
  readonly cost: string
}

export type RoutesFormProps = { readonly model: Model; readonly onSaved: () => void }

/** Where a model is served: which routes go first, and how those of one order share. */
export function RoutesForm({ model, onSaved }: RoutesFormProps) {
  const queryClient = useQueryClient()
  const providers = useQuery(allProvidersQuery)
  const [routes, setRoutes] = useState(() => model.routes.map(toDraft))
  const [order, setOrder] = useState<RoutingOrder>(model.routing.order)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const save = useMutation({
    mutationFn: (body: Parameters<typeof changeModel>[1]) => changeModel(model.id, body),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: MODELS })
      onSaved()
    },
  })
  const submit = () => {
    const read = z.array(routeInput).safeParse(routes.map(toInput))
    setErrors(read.success ? {} : errorsOf(read.error, routes))
    if (read.success) save.mutate({ routes: read.data, routing: { order } })
  }
  const known = providers.data?.data ?? []
  const next = Math.max(-1, ...routes.map(({ row }) => row)) + 1
  return (
    <Form errors={errors} failure={save.error?.message} onFormSubmit={submit}>
      <SelectField
        label="Among routes of one order"
        choices={ORDERS.map(({ value, label }) => ({ value, label }))}
        value={order}
        onValueChange={value => setOrder(ORDERS.find(each => each.value === value)?.value ?? order)}
      />
      {routes.map((route, index) => (
        <RouteFields
          key={route.row}
          title={`Route ${index + 1}`}
          route={route}
          providers={known}
          onChange={changed => setRoutes(routes.with(index, changed))}
          onRemove={() => setRoutes(routes.toSpliced(index, 1))}
        />
      ))}
      {routes.length === 0 && <p className="text-sm text-muted">Without a route, the model answers 503.</p>}
      <div className="flex flex-wrap justify-between gap-3">
        <Button
          disabled={known.length === 0}
          onClick={() => setRoutes([...routes, emptyRoute(next, known[0]?.id ?? '')])}
        >
          <Plus className="size-4" aria-hidden="true" />
          Add route
        </Button>
        <Button look="primary" type="submit" pending={save.isPending}>
          Save routes
        </Button>
      </div>
    </Form>
  )
}

type RouteFieldsProps = {
  readonly title: string
  readonly route: RouteDraft
  readonly providers: readonly Provider[]
  readonly onChange: (route: RouteDraft) => void
  readonly onRemove: () => void
}

function RouteFields({ title, route, providers, onChange, onRemove }: RouteFieldsProps) {
  const field = (name: 'upstreamModel' | 'priority' | 'weight' | 'cost') => ({
    name: `${route.row}.${name}`,
    value: route[name],
    onValueChange: (text: string) => onChange({ ...route, [name]: text }),
    autoComplete: 'off',
  })
  return (
    <fieldset className="flex flex-col gap-4 rounded-md border border-line p-4">
      <legend className="px-1 text-sm font-medium">{title}</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Provider"
          choices={providers.map(({ id, name, enabled }) => ({
            value: id,
            label: enabled ? name : `${name} (paused)`,
          }))}
          value={route.provider}
          onValueChange={provider => onChange({ ...route, provider })}
        />
        <TextField {...field('upstreamModel')} label="Model there" spellCheck={false} required />
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField {...field('priority')} label="Order" description="lower goes first" inputMode="numeric" />
        <TextField {...field('weight')} label="Share" description="among equals" inputMode="numeric" />
        <TextField {...field('cost')} label="Cost" description="empty: unknown" inputMode="decimal" />
      </div>
      <div>
        <Button look="quiet" size="small" onClick={onRemove} aria-label={`Remove ${title.toLowerCase()}`}>
          <Trash2 className="size-4" aria-hidden="true" />
          Remove
        </Button>
      </div>
    </fieldset>
  )
}

function toDraft(route: Model['routes'][number], row: number): RouteDraft {
  const { provider_id: provider, upstream_model: upstreamModel, priority, weight, cost } = route
  return {
    row,
    provider,
    upstreamModel,
    priority: String(priority),
    weight: String(weight),
    cost: cost === null ? '' : String(cost),
  }
}

function emptyRoute(row: number, provider: string): RouteDraft {
  return { row, provider, upstreamModel: '', priority: '0', weight: '1', cost: '' }
}

function toInput({ provider, upstreamModel, priority, weight, cost }: RouteDraft) {
  return {
    provider_id: provider,
    upstream_model: upstreamModel.trim(),
    priority: Number(priority),
    weight: Number(weight),
    cost: cost.trim() === '' ? null : Number(cost.replace(',', '.')),
  }
}

const FIELDS: Readonly<Record<string, string>> = { upstream_model: 'upstreamModel' }

function errorsOf(error: z.ZodError, routes: readonly RouteDraft[]): Record<string, string> {
  return Object.fromEntries(
    error.issues.map(({ path: [index, name], message }) => {
      const row = routes[Number(index)]?.row ?? 0
      return [`${row}.${FIELDS[String(name)] ?? String(name)}`, message]
    }),
  )
}
