import { Link } from '@tanstack/react-router'
import { ChartColumn, Ellipsis, Pencil, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Key, LiveUse } from '#web/api/client/keys.ts'
import { KeyName } from '#web/keys/key-name.tsx'
import { KeyState, keyState } from '#web/keys/key-state.tsx'
import { Button } from '#web/ui/button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { LimitMeter } from '#web/ui/limit-meter.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { Sideways } from '#web/ui/sideways.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { KeyRules } from './key-rules.tsx'
import { RenameKeyDialog } from './rename-key-dialog.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'

export type KeyTableProps = {
  readonly keys: readonly Key[]
  /** What runs now, as far as that is known. */
  readonly live: readonly LiveUse[]
}

/** A user's keys with what runs on each, and what can be done with it. */
export function KeyTable({ keys, live }: KeyTableProps) {
  const [revoking, setRevoking] = useState<Key | null>(null)
  const [renaming, setRenaming] = useState<Key | null>(null)
  const liveOf = new Map(live.map(use => [use.key_id, use]))
  const columns: readonly Column<Key>[] = [
    {
      header: 'Name',
      isName: true,
      className: 'sm:max-w-56',
      cell: key => (
        <div className="min-w-0">
          <KeyName apiKey={key} />
          <KeyRules apiKey={key} />
        </div>
      ),
    },
    { header: 'State', cell: key => <KeyState apiKey={key} /> },
    { header: 'In flight', cell: key => <InFlight apiKey={key} use={liveOf.get(key.id)} /> },
    { header: 'Requests', cell: key => <Requests apiKey={key} use={liveOf.get(key.id)} /> },
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
          <KeyMenu apiKey={key} onRename={() => setRenaming(key)} onRevoke={() => setRevoking(key)} />
        ),
    },
  ]
  return (
    <>
      <Sideways label="Table of keys">
        <Table caption="Your keys" columns={columns} rows={keys} rowKey={key => key.id} />
      </Sideways>
      <RenameKeyDialog apiKey={renaming} onClose={() => setRenaming(null)} />
      <RevokeKeyDialog apiKey={revoking} onClose={() => setRevoking(null)} />
    </>
  )
}

type UseProps = { readonly apiKey: Key; readonly use: LiveUse | undefined }

function InFlight({ apiKey, use }: UseProps) {
  if (keyState(apiKey) !== 'active') return '–'
  return <LimitMeter used={use?.in_flight ?? 0} limit={apiKey.limits.concurrency} />
}

function Requests({ apiKey, use }: UseProps) {
  if (keyState(apiKey) !== 'active') return '–'
  const { requests, window_seconds: seconds } = apiKey.limits
  return <LimitMeter used={use?.requests ?? 0} limit={requests} note={`in ${seconds} s`} />
}

type KeyMenuProps = { readonly apiKey: Key; readonly onRename: () => void; readonly onRevoke: () => void }

function KeyMenu({ apiKey, onRename, onRevoke }: KeyMenuProps) {
  return (
    <Menu
      trigger={
        <Button look="quiet" size="small-icon" aria-label={`Actions for ${apiKey.name}`}>
          <Ellipsis className="size-4" aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem render={<Link to="/usage" search={{ key: apiKey.id }} />}>
        <ChartColumn className="size-4" aria-hidden="true" />
        Usage
      </MenuItem>
      <MenuItem onSelect={onRename}>
        <Pencil className="size-4" aria-hidden="true" />
        Rename
      </MenuItem>
      <MenuItem render={<Link to="/keys/$keyId/rotate" params={{ keyId: apiKey.id }} />}>
        <RefreshCw className="size-4" aria-hidden="true" />
        Rotate
      </MenuItem>
      <MenuItem tone="danger" onSelect={onRevoke}>
        <Trash2 className="size-4" aria-hidden="true" />
        Revoke
      </MenuItem>
    </Menu>
  )
}
