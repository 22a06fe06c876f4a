import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { type EntryKind, expiringCreditsList, ledgerEntry, ledgerPage } from '#contract/ledger.ts'
import { autoTopUp, type putAutoTopUp } from '#contract/orders.ts'
import type { redeemPromoCode } from '#contract/promo-codes.ts'
import { callOrThrow } from '../call.ts'
import { meQuery } from './session.ts'

export type LedgerEntry = z.output<typeof ledgerEntry>
export type AutoTopUp = z.output<typeof autoTopUp>

/** The start of every query about what happened to the balance and will happen to it. */
export const CREDITS = ['client', 'credits'] as const

/** Asks anew for everything that a change of the balance changes. */
export async function refreshCredits(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: CREDITS }),
    queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
  ])
}

export type LedgerSearch = { readonly kinds?: readonly EntryKind[]; readonly cursor?: string }

/** Changes of the balance, newest first; of all kinds unless some are named. */
export const ledgerEntriesQuery = ({ kinds, cursor }: LedgerSearch = {}) => {
  const query = { kind: kinds?.join(','), cursor }
  return queryOptions({
    queryKey: [...CREDITS, 'ledger', query],
    queryFn: ({ signal }) => callOrThrow({ path: '/client/ledger', query, reply: ledgerPage, signal }),
  })
}

export const expiringCreditsQuery = queryOptions({
  queryKey: [...CREDITS, 'expiring'],
  queryFn: ({ signal }) =>
    callOrThrow({ path: '/client/expiring-credits', reply: expiringCreditsList, signal }),
})

/** Turns a promotional code into credits; gives the entry of the ledger. */
export function redeemCode(body: z.input<typeof redeemPromoCode>): Promise<LedgerEntry> {
  return callOrThrow({ method: 'POST', path: '/client/promo-codes/redeem', body, reply: ledgerEntry })
}

export const autoTopUpQuery = queryOptions({
  queryKey: [...CREDITS, 'auto-top-up'],
  queryFn: ({ signal }) => callOrThrow({ path: '/client/auto-top-up', reply: autoTopUp, signal }),
})

export function saveAutoTopUp(body: z.input<typeof putAutoTopUp>): Promise<AutoTopUp> {
  return callOrThrow({ method: 'PUT', path: '/client/auto-top-up', body, reply: autoTopUp })
}
