import { useQuery } from '@tanstack/react-query'
import { catalogQuery } from '#web/api/discovery.ts'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { chatSamples } from '../request-samples.ts'

/** A new key's token, the only time that anyone sees it, with a first request to send with it. */
export function NewKeyToken({ token }: { readonly token: string }) {
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
    </div>
  )
}
