import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { changeUser, type ListedUser, resetUserTwoFactor, USERS, type User } from '#web/api/admin/users.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { notify, notifyFailure } from '#web/ui/toast.tsx'
import { usePermissions } from '../layout/permissions.tsx'
import { EditUserDialog, SetPasswordDialog } from './edit-user-dialog.tsx'
import { QuestionAboutUser, type UserQuestion } from './question-about-user.tsx'

export type UserTableProps = {
  readonly users: readonly ListedUser[]
  /** Whether each leads to its account, where not all are of the same. */
  readonly showsAccount?: boolean
}

type Asked = { readonly what: 'edit' | 'password' | UserQuestion; readonly user: User } | null

/** Users, and what an operator does with one. */
export function UserTable({ users, showsAccount = false }: UserTableProps) {
  const queryClient = useQueryClient()
  const { mayChange } = usePermissions()
  const [asked, setAsked] = useState<Asked>(null)
  const close = () => setAsked(null)
  const enable = useMutation({
    mutationFn: ({ id }: User) => changeUser(id, { status: 'active' }),
    onSuccess: async ({ name }) => {
      notify('User enabled', `${name} can sign in again.`)
      await queryClient.invalidateQueries({ queryKey: USERS })
    },
    onError: error => notifyFailure('The user was not enabled', error.message),
  })
  const columns: readonly Column<ListedUser>[] = [
    { header: 'User', isName: true, className: 'sm:max-w-72', cell: user => <UserName user={user} /> },
    {
      header: 'State',
      cell: ({ status }) =>
        status === 'active' ? <Badge tone="good">Active</Badge> : <Badge>Disabled</Badge>,
    },
    ...(showsAccount ? [ACCOUNT] : []),
    { header: 'Made', cell: ({ created_at }) => <DateTime value={created_at} show="day" /> },
    {
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: user =>
        mayChange && (
          <UserMenu
            user={user}
            onAsk={what => setAsked({ what, user })}
            onEnable={() => enable.mutate(user)}
          />
        ),
    },
  ]
  const askedOf = (what: NonNullable<Asked>['what']) => (asked?.what === what ? asked.user : null)
  return (
    <>
      <Table caption="Users" columns={columns} rows={users} rowKey={({ id }) => id} />
      <EditUserDialog user={askedOf('edit')} onClose={close} />
      <SetPasswordDialog user={askedOf('password')} onClose={close} />
      <QuestionAboutUser
        about="disable"
        user={askedOf('disable')}
        act={({ id }) => changeUser(id, { status: 'disabled' })}
        onClose={close}
      />
      <QuestionAboutUser
        about="second-factor"
        user={askedOf('second-factor')}
        act={({ id }) => resetUserTwoFactor(id)}
        onClose={close}
      />
    </>
  )
}

const ACCOUNT: Column<ListedUser> = {
  header: 'Account',
  className: 'sm:max-w-60 wrap-anywhere',
  cell: ({ account }) => (
    <Link to="/accounts/$accountId" params={{ accountId: account.id }} className={textLinkClasses}>
      {account.name}
    </Link>
  ),
}

function UserName({ user: { name, email } }: { readonly user: User }) {
  return (
    <span className="flex min-w-0 flex-col">
      <span className="font-medium break-words">{name}</span>
      <span className="text-xs font-normal break-words text-muted">{email}</span>
    </span>
  )
}

type UserMenuProps = {
  readonly user: User
  readonly onAsk: (what: NonNullable<Asked>['what']) => void
  readonly onEnable: () => void
}

function UserMenu({ user, onAsk, onEnable }: UserMenuProps) {
  return (
    <Menu
      trigger={
        <Button look="quiet" size="small-icon" aria-label={`Actions for ${user.name}`}>
          <Ellipsis className="size-4" aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem onSelect={() => onAsk('edit')}>Edit</MenuItem>
      <MenuItem onSelect={() => onAsk('password')}>Set password</MenuItem>
      <MenuItem onSelect={() => onAsk('second-factor')}>Take second factor away</MenuItem>
      {user.status === 'active' ? (
        <MenuItem tone="danger" onSelect={() => onAsk('disable')}>
          Disable
        </MenuItem>
      ) : (
        <MenuItem onSelect={onEnable}>Enable</MenuItem>
      )}
    </Menu>
  )
}
