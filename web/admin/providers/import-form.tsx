import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import type { DiscoveredModel } from '#contract/provider-models.ts'
import { MODELS } from '#web/api/admin/models.ts'
import { importProviderModels, type Provider } from '#web/api/admin/providers.ts'
import type { Settings } from '#web/api/admin/settings.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { notify } from '#web/ui/toast.tsx'
import { PRICING_MESSAGES, pricingFields } from '../catalog/pricing-fields.ts'
import { idFor, toImported } from './imported-model.ts'

const importForm = pricingFields.extend({ prefix: z.string().trim().max(100) })

export type ImportFormProps = {
  readonly provider: Provider
  readonly chosen: readonly DiscoveredModel[]
  /** What the fields begin with. */
  readonly pricing: Settings['pricing']
}

/** Takes the chosen models into the catalogue, weighed by their list prices. */
export function ImportForm({ provider, chosen, pricing: usual }: ImportFormProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { formProps, pending } = useForm({
    schema: importForm,
    submit: ({ prefix, ...pricing }) =>
      importProviderModels(provider.id, {
        models: chosen.map(model => toImported(model, idFor(model, prefix))),
        pricing,
      }),
    messages: PRICING_MESSAGES,
    onDone: async ({ data }) => {
      const waiting = data.filter(model => !model.enabled).length
      const rest = waiting === 0 ? 'All of them can be called.' : `${waiting} wait for their weights.`
      notify(data.length === 1 ? '1 model imported' : `${data.length} models imported`, rest)
      await queryClient.invalidateQueries({ queryKey: MODELS })
      void navigate({ to: '/models' })
    },
  })
  return (
    <Form {...formProps}>
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField
          name="prefix"
          label="Before each id"
          description="Such as acme/, to tell providers apart"
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          name="credit_usd"
          label="A credit is worth, in USD"
          description="By it list prices become weights"
          defaultValue={String(usual.credit_usd)}
          inputMode="decimal"
          required
        />
        <TextField
          name="margin_percent"
          label="Margin, in percent"
          description="On top of the list price"
          defaultValue={String(usual.margin_percent)}
          inputMode="decimal"
          required
        />
      </div>
      <div>
        <Button look="primary" type="submit" pending={pending} disabled={chosen.length === 0}>
          {chosen.length === 1 ? 'Import 1 model' : `Import ${chosen.length} models`}
        </Button>
      </div>
    </Form>
  )
}
