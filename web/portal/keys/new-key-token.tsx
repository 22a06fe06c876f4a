import { useQuery } from '@tanstack/react-query'
import { catalogQuery } from '#web/api/discovery.ts'
import { TokenBox } from '#web/keys/token-box.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { chatSamples } from '../request-samples.ts'

/** A new key's token, the only time that anyone sees it, with a first request to send with it. */
export function NewKeyToken({ token }: { readonly token: string }) {
  const { data: catalog } = useQuery(catalogQuery)
  const model = catalog?.data.find(entry => entry.endpoints.includes('chat'))?.id ?? 'a-model'
  return (
    <div className="flex flex-col gap-5">
      <TokenBox token={token} />
      <div>
        <h3 className="mb-2 text-sm font-medium">A first request</h3>
        <CodeBlock label="A first request" samples={chatSamples({ origin: location.origin, model })} />
      </div>
    </div>
  )
}
