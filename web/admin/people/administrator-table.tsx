import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { ADMINISTRATORS, type Administrator, changeAdministrator } from '#web/api/admin/administrators.ts'
import { useConfirm } from '#web/api/use-confirm.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { notify } from '#web/ui/toast.tsx'
import { usePermissions } from '../layout/permissions.tsx'
import { ROLE_WORDS } from '../layout/role-words.ts'
import { EditAdministratorDialog } from './administrator-dialogs.tsx'

export type AdministratorTableProps = { readonly administrators: readonly Administrator[] }

/** Who operates the service, and what an owner does with them. */
export function AdministratorTable({ administrators }: AdministratorTableProps) {
  const { mayDecide } = usePermissions()
  const [editing, setEditing] = useState<Administrator | null>(null)
  const [switching, setSwitching] = useState<Administrator | null>(null)
  const columns: readonly Column<Administrator>[] = [
    {
      header: 'Administrator',
      isName: true,
      className: 'sm:max-w-72',
      cell: ({ name, email }) => (
        <span className="flex min-w-0 flex-col">
          <span className="font-medium break-words">{name}</span>
          <span className="text-xs font-normal break-words text-muted">{email}</span>
        </span>
      ),
    },
    { header: 'Role', cell: ({ role }) => ROLE_WORDS[role].label },
    {
      header: 'State',
      cell: ({ status }) =>
        status === 'active' ? <Badge tone="good">Active</Badge> : <Badge>Disabled</Badge>,
    },
    {
      header: 'Second factor',
      cell: ({ two_factor: isOn }) => (isOn ? <Badge tone="good">On</Badge> : <Badge tone="warn">Off</Badge>),
    },
    { header: 'Made', cell: ({ created_at }) => <DateTime value={created_at} show="day" /> },
    {
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: administrator =>
        mayDecide && (
          <Menu
            trigger={
              <Button look="quiet" size="small-icon" aria-label={`Actions for ${administrator.name}`}>
                <Ellipsis className="size-4" aria-hidden="true" />
              </Button>
            }
          >
            <MenuItem onSelect={() => setEditing(administrator)}>Edit</MenuItem>
            <MenuItem
              tone={administrator.status === 'active' ? 'danger' : 'plain'}
              onSelect={() => setSwitching(administrator)}
            >
              {administrator.status === 'active' ? 'Disable' : 'Enable'}
            </MenuItem>
          </Menu>
        ),
    },
  ]
  return (
    <>
      <Table caption="Administrators" columns={columns} rows={administrators} rowKey={({ id }) => id} />
      <EditAdministratorDialog administrator={editing} onClose={() => setEditing(null)} />
      <SwitchDialog administrator={switching} onClose={() => setSwitching(null)} />
    </>
  )
}

type SwitchDialogProps = { readonly administrator: Administrator | null; readonly onClose: () => void }

/** Asks before somebody loses or regains the way in. */
function SwitchDialog({ administrator, onClose }: SwitchDialogProps) {
  const queryClient = useQueryClient()
  const disables = administrator?.status !== 'disabled'
  const change = useConfirm({
    subject: administrator,
    act: ({ id }) => changeAdministrator(id, { status: disables ? 'disabled' : 'active' }),
    onDone: async ({ name }) => {
      onClose()
      notify(disables ? 'Administrator disabled' : 'Administrator enabled', name)
      await queryClient.invalidateQueries({ queryKey: ADMINISTRATORS })
    },
    onClose,
  })
  return (
    <ConfirmDialog
      {...change}
      title={`${disables ? 'Disable' : 'Enable'} ${administrator?.name ?? 'this administrator'}?`}
      confirmLabel={disables ? 'Disable administrator' : 'Enable administrator'}
    >
      <p>
        {disables
          ? 'They are signed out at once and can not sign in any more. What they did stays on the audit log.'
          : 'They can sign in again, with the password and the role that they had.'}
      </p>
    </ConfirmDialog>
  )
}
