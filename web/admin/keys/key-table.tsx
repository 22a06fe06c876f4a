import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { Key, ListedKey } from '#web/api/admin/keys.ts'
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
  readonly keys: readonly ListedKey[]
  /** Whether each leads to its account, where not all are of the same. */
  readonly showsAccount?: boolean
}

/** Keys with their limits, and what an operator does with one. */
export function KeyTable({ keys, showsAccount = false }: KeyTableProps) {
  const { mayChange } = usePermissions()
  const [editing, setEditing] = useState<Key | null>(null)
  const [revoking, setRevoking] = useState<Key | null>(null)
  const columns: readonly Column<ListedKey>[] = [
    { header: 'Key', isName: true, className: 'sm:max-w-56', cell: key => <KeyName apiKey={key} /> },
    { header: 'State', cell: key => <KeyState apiKey={key} /> },
    {
      header: 'User',
      className: 'sm:max-w-56 wrap-anywhere',
      cell: key => <KeyUser apiKey={key} showsAccount={showsAccount} />,
    },
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

type KeyUserProps = { readonly apiKey: ListedKey; readonly showsAccount: boolean }

function KeyUser({ apiKey: { user, account }, showsAccount }: KeyUserProps) {
  return (
    <span className="flex min-w-0 flex-col max-sm:items-end">
      <Link to="/users" search={{ q: user.id }} className={textLinkClasses}>
        {user.name}
      </Link>
      {showsAccount && (
        <span className="text-xs text-muted">
          of{' '}
          <Link to="/accounts/$accountId" params={{ accountId: account.id }} className={textLinkClasses}>
            {account.name}
          </Link>
        </span>
      )}
    </span>
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
