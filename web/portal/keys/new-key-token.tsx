import { useQuery } from '@tanstack/react-query'
import { catalogQuery } from '#web/api/discovery.ts'
import { Button } from '#web/ui/button.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { chatSamples } from '../request-samples.ts'

export type NewKeyTokenProps = { readonly token: string; readonly onDone: () => void }

/** A new key's token, once, with a first request to send with it. */
export function NewKeyToken({ token, onDone }: NewKeyTokenProps) {
  const { data: catalog } = useQuery(catalogQuery)
  const model = catalog?.data.find(entry => entry.endpoints.includes('chat'))?.id ?? 'a-model'
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-3 rounded-lg border border-gold/50 bg-gold-soft p-4">
        <code className="font-mono text-sm break-all">{token}</code>
        <CopyButton text={token} label="Copy key" look="primary" className="self-start" />
      </div>
      <div>
        <h3 className="mb-2 text-sm font-medium">A first request</h3>
        <CodeBlock label="A first request" samples={chatSamples({ origin: location.origin, model })} />
      </div>
      <div className="flex justify-end">
        <Button onClick={onDone}>I have copied the key</Button>
      </div>
    </div>
  )
}
