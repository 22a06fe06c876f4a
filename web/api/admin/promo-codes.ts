import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { type createPromoCode, type patchPromoCode, promoCode, promoCodePage } from '#contract/promo-codes.ts'
import { callOrThrow } from '../call.ts'

export type PromoCode = z.output<typeof promoCode>

/** The start of every query about promotional codes: invalidate it when one changed. */
export const PROMO_CODES = ['admin', 'promo-codes'] as const

export const promoCodesQuery = (query: { readonly cursor?: string } = {}) =>
  queryOptions({
    queryKey: [...PROMO_CODES, query],
    queryFn: ({ signal }) => callOrThrow({ path: '/admin/promo-codes', query, reply: promoCodePage, signal }),
  })

export function makePromoCode(body: z.input<typeof createPromoCode>): Promise<PromoCode> {
  return callOrThrow({ method: 'POST', path: '/admin/promo-codes', body, reply: promoCode })
}

export function changePromoCode(id: string, body: z.input<typeof patchPromoCode>): Promise<PromoCode> {
  return callOrThrow({
    method: 'PATCH',
    path: `/admin/promo-codes/${encodeURIComponent(id)}`,
    body,
    reply: promoCode,
  })
}
