import type { Session } from '#web/api/identity.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { type Column, Table } from '#web/ui/table.tsx'

export type SessionTableProps = {
  readonly sessions: readonly Session[]
  readonly onEnd: (session: Session) => void
}

const nameOf = (session: Session) => session.user_agent ?? 'Unknown browser'

/** Somebody's sessions, each with its end; the one that is looked from ends by signing out. */
export function SessionTable({ sessions, onEnd }: SessionTableProps) {
  const columns: readonly Column<Session>[] = [
    {
      header: 'Browser',
      isName: true,
      cell: session => (
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{nameOf(session)}</span>
          {session.current && <Badge tone="good">This one</Badge>}
        </span>
      ),
    },
    {
      header: 'Address',
      cell: session => <span className="figures wrap-anywhere">{session.address ?? 'Unknown'}</span>,
    },
    { header: 'Signed in', cell: session => <DateTime value={session.created_at} /> },
    { header: 'Last seen', cell: session => <DateTime value={session.last_seen_at} /> },
    {
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: session =>
        !session.current && (
          <Button
            size="small"
            aria-label={`End the session of ${nameOf(session)} from ${session.address ?? 'unknown'}`}
            onClick={() => onEnd(session)}
          >
            End
          </Button>
        ),
    },
  ]
  return <Table caption="Your sessions" columns={columns} rows={sessions} rowKey={session => session.id} />
}
