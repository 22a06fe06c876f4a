import { Link } from '@tanstack/react-router'
import type { CatalogEntry } from '#web/api/discovery.ts'
import { Badge } from '#web/ui/badge.tsx'
import { buttonClasses } from '#web/ui/button.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { WeightsList } from '#web/usage/weights-list.tsx'
import { chatSamples, embeddingSamples } from '../request-samples.ts'
import { ModelFacts } from './model-facts.tsx'
import { STATUS_WORDS } from './status-words.ts'

/** All that the catalogue knows of a model, what it weighs, and how to ask it. */
export function ModelDetail({ model }: { readonly model: CatalogEntry }) {
  const status = STATUS_WORDS[model.status]
  const chats = model.endpoints.includes('chat')
  return (
    <>
      <PageHeader
        title={model.name}
        action={
          chats && (
            <Link
              to="/playground"
              search={{ model: model.id }}
              className={buttonClasses({ look: 'primary' })}
            >
              Try it
            </Link>
          )
        }
      >
        {model.description}
      </PageHeader>
      <div className="-mt-4 mb-8 flex flex-wrap items-center gap-3">
        <code className="font-mono text-sm break-all">{model.id}</code>
        <CopyButton text={model.id} label="Copy id" look="quiet" />
        <Badge tone={status.tone}>{status.word}</Badge>
      </div>
      {model.status !== 'available' && (
        <div className="mb-6">
          <Notice tone="warn">{status.meaning}</Notice>
        </div>
      )}
      <div className="grid gap-6 lg:grid-cols-2">
        <Panel title="What it weighs">
          <WeightsList {...model} />
          <p className="mt-5 text-sm text-muted">
            Credits for a million tokens. Each token counts in one kind alone; the sum is rounded up once, to
            a millionth of a credit.
          </p>
        </Panel>
        <Panel title="What it can do">
          <ModelFacts model={model} />
        </Panel>
        <Panel title="How to ask it" className="lg:col-span-2">
          <HowToAsk model={model} />
        </Panel>
      </div>
    </>
  )
}

function HowToAsk({ model: { id, endpoints } }: { readonly model: CatalogEntry }) {
  const request = { origin: location.origin, model: id }
  if (endpoints.includes('chat')) return <CodeBlock label="A request" samples={chatSamples(request)} />
  if (endpoints.includes('embeddings'))
    return <CodeBlock label="A request" samples={embeddingSamples(request)} />
  return (
    <p className="text-sm">
      The{' '}
      <a href="/docs/" className={textLinkClasses}>
        API reference
      </a>{' '}
      shows a request for each of its routes.
    </p>
  )
}
