import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Account, changeAccount, refreshAccounts, reopenAccount } from '#web/api/admin/accounts.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { notify, notifyFailure } from '#web/ui/toast.tsx'
import { ForOwners } from '../layout/permissions.tsx'
import { ChangeCreditsDialog } from './change-credits-dialog.tsx'
import { CloseAccountDialog } from './close-account-dialog.tsx'
import { RenameAccountDialog } from './rename-account-dialog.tsx'

type Asked = 'credits' | 'rename' | 'suspend' | 'close' | null

/** What an operator does with an account. */
export function AccountActions({ account }: { readonly account: Account }) {
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState<Asked>(null)
  const dialog = (name: Asked) => ({
    account,
    open: asked === name,
    onOpenChange: (open: boolean) => setAsked(open ? name : null),
  })
  const change = useMutation({
    mutationFn: (status: Account['status']) => changeAccount(account.id, { status }),
    onSuccess: async ({ status, name }) => {
      setAsked(null)
      notify(
        status === 'active' ? 'Account resumed' : 'Account suspended',
        status === 'active' ? `The keys of ${name} work again.` : `The keys of ${name} are refused now.`,
      )
      await refreshAccounts(queryClient)
    },
    onError: error => notifyFailure('The account was not changed', error.message),
  })
  const reopen = useMutation({
    mutationFn: () => reopenAccount(account.id),
    onSuccess: async ({ name }) => {
      notify('Account reopened', `The users of ${name} can sign in, and need new keys.`)
      await refreshAccounts(queryClient)
    },
    onError: error => notifyFailure('The account was not reopened', error.message),
  })
  return (
    <div className="flex flex-wrap gap-2">
      <Button look="primary" onClick={() => setAsked('credits')}>
        Change credits
      </Button>
      <Button onClick={() => setAsked('rename')}>Rename</Button>
      {account.closed_at === null ? (
        <>
          {account.status === 'active' ? (
            <Button onClick={() => setAsked('suspend')}>Suspend</Button>
          ) : (
            <Button pending={change.isPending} onClick={() => change.mutate('active')}>
              Resume
            </Button>
          )}
          <Button onClick={() => setAsked('close')}>Close</Button>
        </>
      ) : (
        <ForOwners>
          <Button pending={reopen.isPending} onClick={() => reopen.mutate()}>
            Reopen
          </Button>
        </ForOwners>
      )}
      <ChangeCreditsDialog {...dialog('credits')} />
      <RenameAccountDialog {...dialog('rename')} />
      <CloseAccountDialog {...dialog('close')} />
      <ConfirmDialog
        {...dialog('suspend')}
        title={`Suspend ${account.name}?`}
        confirmLabel="Suspend account"
        onConfirm={() => change.mutate('suspended')}
        pending={change.isPending}
      >
        <p>
          All of its keys are refused at once, on every node. Its users can still sign in and see why. You can
          let them work again at any time.
        </p>
      </ConfirmDialog>
    </div>
  )
}
