import type { ReactNode } from 'react'
import type { CatalogEntry } from '#web/api/discovery.ts'
import { Badge } from '#web/ui/badge.tsx'
import { formatCount } from '#web/ui/numbers.ts'
import { ENDPOINT_LABELS } from '#web/usage/model-words.ts'

const tokens = (count: number | null) => (count === null ? 'Unknown' : `${formatCount(count)} tokens`)

/** What the catalogue says of a model; what it does not know is called unknown. */
export function ModelFacts({ model }: { readonly model: CatalogEntry }) {
  const { input, output } = model.modalities
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2.5 text-sm">
      <Fact name="Made by">{model.owned_by}</Fact>
      <Fact name="Context">{tokens(model.context_window)}</Fact>
      <Fact name="Longest answer">{tokens(model.max_output_tokens)}</Fact>
      <Fact name="Takes">{input.join(', ') || 'Unknown'}</Fact>
      <Fact name="Gives">{output.join(', ') || 'Unknown'}</Fact>
      <Fact name="Routes">{model.endpoints.map(name => ENDPOINT_LABELS[name]).join(', ')}</Fact>
      <Fact name="Capabilities">
        {model.capabilities.length === 0 ? (
          'None named'
        ) : (
          <span className="flex flex-wrap gap-1.5">
            {model.capabilities.map(capability => (
              <Badge key={capability}>{capability}</Badge>
            ))}
          </span>
        )}
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted">{name}</dt>
      <dd className="figures min-w-0 break-words">{children}</dd>
    </div>
  )
}
