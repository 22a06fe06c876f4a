import { CodeBlock } from '#web/ui/code-block.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { type Document, groupByTag, listEntries } from './openapi.ts'
import { WrittenText } from './written-text.tsx'

const ENVELOPE = `{
  "error": {
    "message": "All 32 of this key's concurrent requests are in flight",
    "type": "insufficient_quota",
    "code": "concurrency_limit"
  }
}`

const HEADERS = `x-request-id: req_01k9s50b4d
x-ratelimit-limit-requests: 600
x-ratelimit-remaining-requests: 598
x-ratelimit-reset-requests: 12s
x-concurrency-limit: 32
x-concurrency-remaining: 31`

/** What holds for all operations, and where they are. */
export function Introduction({ document }: { readonly document: Document }) {
  return (
    <>
      <PageHeader title="API reference">
        <WrittenText text={document.info.description} />
      </PageHeader>
      <div className="grid gap-6 lg:grid-cols-2">
        <Panel title="Where it is">
          <p className="text-sm">
            <WrittenText
              text={`Every path here begins at \`${location.origin}\`. Clients of OpenAI's libraries take \`${location.origin}/v1\` as their base address. Make a key in the portal, and send it as \`Authorization: Bearer gw_…\`.`}
            />
          </p>
          <p className="mt-3 text-sm">
            <a href="/openapi.json" className={textLinkClasses}>
              openapi.json
            </a>{' '}
            holds all of this for programs.
          </p>
        </Panel>
        <Panel title="Three limits">
          <p className="text-sm">
            A key has a request rate and a cap on requests in flight; its account has one balance of credits.
            They are independent, and each refuses with 429: tell them apart by type and code.
          </p>
        </Panel>
        <Panel title="Errors">
          <CodeBlock label="An error" samples={[{ language: 'Every error', code: ENVELOPE }]} />
        </Panel>
        <Panel title="Headers">
          <CodeBlock label="Headers" samples={[{ language: 'Of protected routes', code: HEADERS }]} />
        </Panel>
      </div>
      <h2 className="mt-10 mb-4 text-lg font-semibold">Operations</h2>
      <div className="grid gap-6 lg:grid-cols-2">
        {groupByTag(document, listEntries(document)).map(({ name, description, entries }) => (
          <Panel key={name} title={name}>
            <p className="text-sm text-muted">
              <WrittenText text={description} />
            </p>
            <ul className="mt-3 flex flex-col gap-1 text-sm">
              {entries.map(({ operationId, summary }) => (
                <li key={operationId}>
                  <a href={`#${operationId}`} className="hover:text-gold hover:underline">
                    {summary}
                  </a>
                </li>
              ))}
            </ul>
          </Panel>
        ))}
      </div>
    </>
  )
}
