import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { type AuditEntry, actorsQuery, auditQuery } from '#web/api/admin/audit.ts'
import { Button } from '#web/ui/button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { AuditFilters } from '../audit/audit-filters.tsx'
import { type AuditSearch, readAuditQuery } from '../audit/audit-search.ts'
import { ChangeTable } from '../audit/change-table.tsx'

const route = getRouteApi('/signed-in/audit')

export function AuditPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const actors = useQuery(actorsQuery).data?.data ?? []
  return (
    <>
      <PageHeader title="Audit log">
        Who changed what, and what it was before. Nothing on it can be changed or taken away.
      </PageHeader>
      <AuditFilters
        search={search}
        actors={actors.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
        onChange={next =>
          void navigate({ search: { ...search, ...next }, replace: true, resetScroll: false })
        }
      />
      {/* Other filters make another list, which begins with its first page. */}
      <AuditList
        key={JSON.stringify(search)}
        search={search}
        names={new Map(actors.map(({ id, name }) => [id, name]))}
      />
    </>
  )
}

type AuditListProps = { readonly search: AuditSearch; readonly names: ReadonlyMap<string, string> }

function AuditList({ search, names }: AuditListProps) {
  const pages = useCursorPages()
  const [shown, setShown] = useState<AuditEntry | null>(null)
  const entries = useQuery({
    ...auditQuery({ ...readAuditQuery(search), cursor: pages.cursor }),
    placeholderData: keepPreviousData,
  })
  const nameOf = ({ actor }: AuditEntry) =>
    actor.id === null ? 'The service' : (names.get(actor.id) ?? actor.id)
  const columns: readonly Column<AuditEntry>[] = [
    { header: 'Time', isName: true, cell: ({ created_at }) => <DateTime value={created_at} show="second" /> },
    { header: 'By whom', className: 'break-words', cell: nameOf },
    { header: 'Action', cell: ({ action }) => <code className="font-mono">{action}</code> },
    { header: 'Of what', className: 'break-all', cell: ({ target }) => target.id },
    {
      header: 'Changes',
      hideHeader: true,
      align: 'end',
      cell: entry => (
        <Button
          size="small"
          aria-label={`Changes: ${entry.action} of ${entry.target.id}`}
          onClick={() => setShown(entry)}
        >
          Changes
        </Button>
      ),
    },
  ]
  return (
    <>
      <ListPage
        what="changes"
        query={entries}
        pages={pages}
        empty={<EmptyState title="No change fits">Take a filter away, or choose other days.</EmptyState>}
      >
        {rows => (
          <Table caption="Changes, newest first" columns={columns} rows={rows} rowKey={({ id }) => id} />
        )}
      </ListPage>
      <Dialog
        open={shown !== null}
        onOpenChange={() => setShown(null)}
        title={shown?.action ?? ''}
        description={shown && `${nameOf(shown)}, of ${shown.target.id}`}
      >
        {shown && <ChangeTable before={shown.before} after={shown.after} />}
      </Dialog>
    </>
  )
}
