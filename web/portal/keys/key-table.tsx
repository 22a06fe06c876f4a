import { useState } from 'react'
import type { Key } from '#web/api/client/keys.ts'
import { Button } from '#web/ui/button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { KeyState, keyState } from './key-state.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'

/** A user's keys, each with what can be done with it. */
export function KeyTable({ keys }: { readonly keys: readonly Key[] }) {
  const [revoking, setRevoking] = useState<Key | null>(null)
  const columns: readonly Column<Key>[] = [
    {
      header: 'Name',
      isName: true,
      cell: key => (
        <span className="flex min-w-0 flex-col">
          <span className="font-medium break-words">{key.name}</span>
          <code className="font-mono text-xs font-normal text-muted">{key.hint}</code>
        </span>
      ),
    },
    { header: 'State', cell: key => <KeyState apiKey={key} /> },
    {
      header: 'Last used',
      cell: key => (key.last_used_at === null ? 'Never' : <DateTime value={key.last_used_at} />),
    },
    { header: 'Made', cell: key => <DateTime value={key.created_at} show="day" /> },
    {
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: key =>
        keyState(key) !== 'revoked' && (
          <Button size="small" aria-label={`Revoke ${key.name}`} onClick={() => setRevoking(key)}>
            Revoke
          </Button>
        ),
    },
  ]
  return (
    <>
      <Table caption="Your keys" columns={columns} rows={keys} rowKey={key => key.id} />
      <RevokeKeyDialog apiKey={revoking} onClose={() => setRevoking(null)} />
    </>
  )
}
