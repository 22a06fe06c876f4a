import type { Key } from '#web/api/client/keys.ts'
import type { CatalogEntry } from '#web/api/discovery.ts'
import { Panel } from '#web/ui/panel.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'

export type Settings = { readonly keyId: string; readonly model: string; readonly instructions: string }

export type PlaygroundSettingsProps = {
  readonly keys: readonly Key[]
  readonly models: readonly CatalogEntry[]
  readonly settings: Settings
  readonly onChange: (settings: Settings) => void
}

/** What a conversation is held with. A change counts from the next message on. */
export function PlaygroundSettings({ keys, models, settings, onChange }: PlaygroundSettingsProps) {
  const change = (next: Partial<Settings>) => onChange({ ...settings, ...next })
  return (
    <Panel>
      <div className="flex flex-col gap-4">
        <SelectField
          label="Model"
          value={settings.model}
          choices={models.map(({ id, name }) => ({ value: id, label: name === id ? id : `${name} (${id})` }))}
          onValueChange={model => change({ model })}
        />
        <SelectField
          label="Key"
          value={settings.keyId}
          choices={keys.map(({ id, name, hint }) => ({ value: id, label: `${name} (${hint})` }))}
          onValueChange={keyId => change({ keyId })}
        />
        <details>
          <summary className="cursor-pointer text-sm font-medium">Instructions</summary>
          <div className="mt-2">
            <TextArea
              label="Instructions"
              hideLabel
              description="Sent before the conversation, as the system's word."
              rows={3}
              value={settings.instructions}
              onValueChange={instructions => change({ instructions })}
            />
          </div>
        </details>
      </div>
    </Panel>
  )
}
