import { type Column, Table } from '#web/ui/table.tsx'
import type { Operation } from './openapi.ts'
import { WrittenText } from './written-text.tsx'

type ErrorCase = {
  readonly status: string
  readonly when: string
  readonly type: string
  readonly code: string | null
  readonly message: string
}

const COLUMNS: readonly Column<ErrorCase>[] = [
  {
    header: 'Status',
    isName: true,
    cell: ({ status }) => <span className="figures font-semibold">{status}</span>,
  },
  { header: 'Type', cell: ({ type }) => <code className="font-mono text-xs">{type}</code> },
  { header: 'Code', cell: ({ code }) => <code className="font-mono text-xs">{code ?? 'null'}</code> },
  { header: 'When', cell: ({ when }) => <WrittenText text={when} /> },
  { header: 'Message', cell: ({ message }) => <span className="break-words text-muted">{message}</span> },
]

/** Every way in which an operation can refuse, a row a case. */
export function ErrorTable({ responses }: Pick<Operation, 'responses'>) {
  return (
    <Table
      caption="Errors of this operation"
      columns={COLUMNS}
      rows={casesOf(responses)}
      rowKey={({ status, when }) => `${status} ${when}`}
    />
  )
}

function casesOf(responses: Operation['responses']): ErrorCase[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { content }]) =>
      Object.values(content?.['application/json']?.examples ?? {}).map(({ summary, value }) => {
        // Every example of an error is an envelope, with or without a code.
        const { error } = value as { error: { type: string; code?: string | null; message: string } }
        return { status, when: summary, type: error.type, code: error.code ?? null, message: error.message }
      }),
    )
}
