import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { Key } from '#web/api/admin/keys.ts'
import { KeyName } from '#web/keys/key-name.tsx'
import { KeyState, keyState } from '#web/keys/key-state.tsx'
import { Button } from '#web/ui/button.tsx'
import { formatCredits } from '#web/ui/credits.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { formatCount } from '#web/ui/numbers.ts'
import { type Column, Table } from '#web/ui/table.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { usePermissions } from '../layout/permissions.tsx'
import { EditKeyDialog } from './edit-key-dialog.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'

export type KeyTableProps = {
  readonly keys: readonly Key[]
  /** What the user of a key is called, as far as that is known here. */
  readonly nameOf: (userId: string) => string | undefined
}

/** Keys with their limits, and what an operator does with one. */
export function KeyTable({ keys, nameOf }: KeyTableProps) {
  const { mayChange } = usePermissions()
  const [editing, setEditing] = useState<Key | null>(null)
  const [revoking, setRevoking] = useState<Key | null>(null)
  const columns: readonly Column<Key>[] = [
    { header: 'Key', isName: true, className: 'sm:max-w-56', cell: key => <KeyName apiKey={key} /> },
    { header: 'State', cell: key => <KeyState apiKey={key} /> },
    { header: 'User', cell: ({ user_id: id }) => <KeyUser id={id} name={nameOf(id)} /> },
    { header: 'Limits', cell: key => <Limits apiKey={key} /> },
    {
      header: 'Last used',
      cell: key => (key.last_used_at === null ? 'Never' : <DateTime value={key.last_used_at} />),
    },
    {
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: key =>
        mayChange &&
        keyState(key) !== 'revoked' && (
          <Menu
            trigger={
              <Button look="quiet" size="small-icon" aria-label={`Actions for ${key.name}`}>
                <Ellipsis className="size-4" aria-hidden="true" />
              </Button>
            }
          >
            <MenuItem onSelect={() => setEditing(key)}>Change limits</MenuItem>
            <MenuItem tone="danger" onSelect={() => setRevoking(key)}>
              Revoke
            </MenuItem>
          </Menu>
        ),
    },
  ]
  return (
    <>
      <Table caption="Keys" columns={columns} rows={keys} rowKey={({ id }) => id} />
      <EditKeyDialog apiKey={editing} onClose={() => setEditing(null)} />
      <RevokeKeyDialog apiKey={revoking} onClose={() => setRevoking(null)} />
    </>
  )
}

function KeyUser({ id, name }: { readonly id: string; readonly name: string | undefined }) {
  if (name !== undefined) return <span className="break-words">{name}</span>
  return (
    <Link to="/users" search={{ q: id }} className={textLinkClasses}>
      See user
    </Link>
  )
}

function Limits({ apiKey: { limits, spending_cap, models } }: { readonly apiKey: Key }) {
  return (
    <span className="figures flex flex-col">
      <span>
        {formatCount(limits.requests)} in {formatCount(limits.window_seconds)} s
      </span>
      <span className="text-xs text-muted">{formatCount(limits.concurrency)} in flight</span>
      {spending_cap && (
        <span className="text-xs text-muted">
          {formatCredits(spending_cap.credits)} credits a {spending_cap.period}
        </span>
      )}
      {models && (
        <span className="text-xs text-muted">
          {models.length === 1 ? models[0] : `${models.length} models`}
        </span>
      )}
    </span>
  )
}
