import { CodeBlock } from '#web/ui/code-block.tsx'
import { Panel } from '#web/ui/panel.tsx'
import type { Document, Operation } from './openapi.ts'
import { SchemaFields } from './schema-fields.tsx'

export type ReplyViewProps = {
  readonly document: Document
  readonly status: string
  readonly reply: Operation['responses'][string]
}

/** What comes back when all goes well. */
export function ReplyView({ document, status, reply }: ReplyViewProps) {
  const [type, content] = Object.entries(reply.content ?? {})[0] ?? []
  return (
    <Panel
      title={`Answer ${status}`}
      action={type && <code className="font-mono text-xs text-muted">{type}</code>}
    >
      {content === undefined && <p className="text-sm text-muted">Without a body.</p>}
      {content?.example !== undefined && (
        <CodeBlock
          label={`An answer ${status}`}
          samples={[{ language: 'Example', code: JSON.stringify(content.example, null, 2) }]}
        />
      )}
      {content?.schema?.properties || content?.schema?.$ref ? (
        <details className="mt-4">
          <summary className="cursor-pointer text-sm text-gold">Its fields</summary>
          <div className="mt-3">
            <SchemaFields document={document} schema={content.schema} />
          </div>
        </details>
      ) : null}
    </Panel>
  )
}
