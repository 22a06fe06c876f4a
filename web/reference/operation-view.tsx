import { CodeBlock } from '#web/ui/code-block.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ErrorTable } from './error-table.tsx'
import { MethodName } from './method-name.tsx'
import type { Document, Entry } from './openapi.ts'
import { operationSamples } from './operation-samples.ts'
import { ParameterList } from './parameter-list.tsx'
import { ReplyView } from './reply-view.tsx'
import { SchemaFields } from './schema-fields.tsx'
import { WrittenText } from './written-text.tsx'

const ACCESS: Readonly<Record<string, string>> = {
  key: 'Takes a `gw_` key: `Authorization: Bearer gw_…`',
  user: 'Takes a session of the portal: the cookie `goldweight_client`',
  administrator: 'Takes a session of the admin application: the cookie `goldweight_admin`',
}

/** Everything about one operation. */
export function OperationView({ document, entry }: { readonly document: Document; readonly entry: Entry }) {
  const { method, path, summary, description, security, parameters, requestBody, responses } = entry
  const access = Object.keys(security[0] ?? {})[0]
  const [bodyType, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const replies = Object.entries(responses).filter(([status]) => Number(status) < 400)
  return (
    <>
      <PageHeader title={summary}>{description && <WrittenText text={description} />}</PageHeader>
      <div className="-mt-4 mb-6 flex flex-wrap items-center gap-x-3 gap-y-1">
        <MethodName method={method} />
        <code className="font-mono text-sm break-all">{path}</code>
        <CopyButton text={path} label="Copy path" look="quiet" />
      </div>
      <p className="mb-6 text-sm text-muted">
        <WrittenText text={(access && ACCESS[access]) || 'Open to anyone.'} />
      </p>
      <div className="grid gap-6 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          {parameters.length > 0 && (
            <Panel title="Parameters">
              <ParameterList parameters={parameters} />
            </Panel>
          )}
          {body?.schema && (
            <Panel title="Body" action={<code className="font-mono text-xs text-muted">{bodyType}</code>}>
              <SchemaFields document={document} schema={body.schema} />
            </Panel>
          )}
          {replies.map(([status, reply]) => (
            <ReplyView key={status} document={document} status={status} reply={reply} />
          ))}
        </div>
        <div className="min-w-0">
          <CodeBlock label="A request" samples={operationSamples(entry, location.origin)} />
        </div>
      </div>
      <Panel title="Errors" className="mt-6">
        <ErrorTable responses={responses} />
      </Panel>
    </>
  )
}
