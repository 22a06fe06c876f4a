import { z } from 'zod'
import { credits, page, timestamp } from './primitives.ts'

/** Compared without regard to case; shown in capitals. */
const code = z
  .string()
  .trim()
  .min(4)
  .max(40)
  .regex(/^[A-Za-z0-9-]+$/, 'may hold letters, digits and dashes')
  .transform(text => text.toUpperCase())

const fields = {
  expires_at: timestamp.nullish(),
  max_uses: z.number().int().min(1).max(1_000_000_000).nullish().describe('in all; null for no bound'),
  enabled: z.boolean().optional(),
  note: z.string().trim().max(1000).optional(),
}

export const createPromoCode = z.object({
  code,
  credits: z.number(),
  max_uses_per_account: z.number().int().min(1).max(1000).default(1),
  valid_days: z
    .number()
    .int()
    .min(1)
    .max(3650)
    .nullish()
    .describe('how long the credits may be used after the code was redeemed; null for ever'),
  ...fields,
})

export const patchPromoCode = z.object(fields)

export const promoCode = z.object({
  id: z.string(),
  object: z.literal('promo_code'),
  code: z.string(),
  credits,
  max_uses: z.number().int().nullable(),
  max_uses_per_account: z.number().int(),
  uses: z.number().int(),
  valid_days: z.number().int().nullable(),
  expires_at: timestamp.nullable(),
  enabled: z.boolean(),
  note: z.string(),
  created_at: timestamp,
})

export const promoCodePage = page(promoCode)

export const redeemPromoCode = z.object({ code: z.string().trim().min(1).max(100) })
