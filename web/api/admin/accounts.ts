import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  account,
  accountPage,
  type closeAccount,
  type createAccount,
  type patchAccount,
} from '#contract/accounts.ts'
import { type creditChange, type EntryKind, ledgerEntry, ledgerPage } from '#contract/ledger.ts'
import { callOrThrow } from '../call.ts'
import { pollEvery } from '../poll.ts'

export type Account = z.output<typeof account>
export type LedgerEntry = z.output<typeof ledgerEntry>

/** The start of every query about accounts and what is theirs. */
export const ACCOUNTS = ['admin', 'accounts'] as const

/** Asks anew for everything about accounts. */
export function refreshAccounts(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ACCOUNTS })
}

const pathOf = (id: string) => `/admin/accounts/${encodeURIComponent(id)}`

export const accountsQuery = (query: { readonly search?: string; readonly cursor?: string } = {}) =>
  queryOptions({
    queryKey: [...ACCOUNTS, 'list', query],
    queryFn: ({ signal }) => callOrThrow({ path: '/admin/accounts', query, reply: accountPage, signal }),
  })

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: [...ACCOUNTS, 'one', id],
    queryFn: ({ signal }) => callOrThrow({ path: pathOf(id), reply: account, signal }),
    refetchInterval: pollEvery(15_000),
  })

export type LedgerSearch = { readonly kinds?: readonly EntryKind[]; readonly cursor?: string }

/** Changes of an account's balance, newest first; of all kinds unless some are named. */
export const accountLedgerQuery = (id: string, { kinds, cursor }: LedgerSearch = {}) => {
  const query = { kind: kinds?.join(','), cursor }
  return queryOptions({
    queryKey: [...ACCOUNTS, 'ledger', id, query],
    queryFn: ({ signal }) => callOrThrow({ path: `${pathOf(id)}/ledger`, query, reply: ledgerPage, signal }),
  })
}

export function createAccountWithOwner(body: z.input<typeof createAccount>): Promise<Account> {
  return callOrThrow({ method: 'POST', path: '/admin/accounts', body, reply: account })
}

export function changeAccount(id: string, body: z.input<typeof patchAccount>): Promise<Account> {
  return callOrThrow({ method: 'PATCH', path: pathOf(id), body, reply: account })
}

export function closeOneAccount(id: string, body: z.input<typeof closeAccount>): Promise<Account> {
  return callOrThrow({ method: 'POST', path: `${pathOf(id)}/close`, body, reply: account })
}

export function reopenAccount(id: string): Promise<Account> {
  return callOrThrow({ method: 'POST', path: `${pathOf(id)}/reopen`, reply: account })
}

/** Grants, adjusts or refunds; gives the entry of the ledger. */
export function changeCredits(id: string, body: z.input<typeof creditChange>): Promise<LedgerEntry> {
  return callOrThrow({ method: 'POST', path: `${pathOf(id)}/credits`, body, reply: ledgerEntry })
}
