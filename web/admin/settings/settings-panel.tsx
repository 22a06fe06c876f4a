import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { changeSettings, type SettingsPatch, settingsQuery } from '#web/api/admin/settings.ts'
import { changedMembers } from '#web/api/changed-fields.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { notify } from '#web/ui/toast.tsx'
import { ManagedBadge, useManaged } from '../catalog/managed.tsx'
import { usePermissions } from '../layout/permissions.tsx'

export type SettingsPanelProps<Schema extends z.ZodObject> = {
  readonly title: string
  /** The settings that it is about, as the configuration file names them. */
  readonly settings: readonly (keyof SettingsPatch)[]
  readonly schema: Schema
  readonly toPatch: (values: z.output<Schema>) => SettingsPatch
  readonly messages?: Partial<Record<keyof z.output<Schema> & string, string>>
  readonly onSaved?: () => void
  readonly children: ReactNode
}

/** Settings that belong together, saved together. Whoever may not change them sees them all the same. */
export function SettingsPanel<Schema extends z.ZodObject>(props: SettingsPanelProps<Schema>) {
  const { title, settings, schema, toPatch, messages, onSaved, children } = props
  const queryClient = useQueryClient()
  // As the fields began, and then as they were sent: what others did meanwhile is not in them.
  const [shown, setShown] = useState<object>(() => queryClient.getQueryData(settingsQuery.queryKey) ?? {})
  const { mayDecide } = usePermissions()
  const isManaged = settings.some(useManaged('setting'))
  const { formProps, pending } = useForm({
    schema,
    submit: async values => {
      const patch = toPatch(values)
      const saved = await changeSettings(changedMembers(patch, shown))
      setShown(known => ({ ...known, ...patch }))
      return saved
    },
    ...(messages === undefined ? {} : { messages }),
    onDone: saved => {
      queryClient.setQueryData(settingsQuery.queryKey, saved)
      notify('Settings saved', title)
      onSaved?.()
    },
  })
  const isOpen = mayDecide && !isManaged
  return (
    <Panel title={title} action={isManaged && <ManagedBadge />}>
      <Form {...formProps}>
        <fieldset disabled={!isOpen} className="flex min-w-0 flex-col gap-5">
          <legend className="sr-only">{title}</legend>
          {children}
        </fieldset>
        {isOpen && (
          <div>
            <Button look="primary" size="small" type="submit" pending={pending}>
              Save
            </Button>
          </div>
        )}
      </Form>
    </Panel>
  )
}
