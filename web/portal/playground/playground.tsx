import { useState } from 'react'
import type { Key } from '#web/api/client/keys.ts'
import type { CatalogEntry } from '#web/api/discovery.ts'
import { Button } from '#web/ui/button.tsx'
import { Composer } from './composer.tsx'
import { messagesOf } from './conversation.ts'
import { PlaygroundCost } from './playground-cost.tsx'
import { PlaygroundSettings } from './playground-settings.tsx'
import { RequestCodeDialog } from './request-code-dialog.tsx'
import { Turns } from './turns.tsx'
import { useConversation } from './use-conversation.ts'

export type PlaygroundProps = {
  /** At least one, all of them usable. */
  readonly keys: readonly Key[]
  /** At least one, all of them for chat. */
  readonly models: readonly CatalogEntry[]
  /** The model that the visitor came for. */
  readonly firstModel?: string
}

/** A conversation at the left, what it is held with and what it costs at the right; on a phone one below the other. */
export function Playground({ keys, models, firstModel }: PlaygroundProps) {
  const [settings, setSettings] = useState({
    keyId: keys[0]?.id ?? '',
    model: models.find(({ id }) => id === firstModel)?.id ?? models[0]?.id ?? '',
    instructions: '',
  })
  const { conversation, isBusy, send, stop, clear } = useConversation(settings)
  const model = models.find(({ id }) => id === settings.model)
  const key = keys.find(({ id }) => id === settings.keyId)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr]">
      <div className="min-w-0 lg:col-start-2">
        <PlaygroundSettings keys={keys} models={models} settings={settings} onChange={setSettings} />
      </div>
      <div className="flex min-w-0 flex-col rounded-lg border border-line bg-surface lg:col-start-1 lg:row-span-2 lg:row-start-1">
        <Turns conversation={conversation} apiKey={key} weights={model?.weights} />
        <Composer isBusy={isBusy} onSend={send} onStop={stop} />
      </div>
      <div className="min-w-0 lg:col-start-2">
        <PlaygroundCost conversation={conversation}>
          <RequestCodeDialog
            model={settings.model}
            messages={messagesOf(conversation, settings.instructions)}
          />
          <Button look="quiet" disabled={conversation.length === 0} onClick={clear}>
            Begin anew
          </Button>
        </PlaygroundCost>
      </div>
    </div>
  )
}
