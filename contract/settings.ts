import { z } from 'zod'
import { keyLimits } from './keys.ts'

/** What the operator decides for the whole service. */
export const settings = z.object({
  sign_up: z.enum(['open', 'closed']),
  email_verification: z
    .enum(['optional', 'required'])
    .describe(
      'required: users make keys only once they have confirmed their address; of no effect without mail',
    ),
  default_limits: keyLimits,
  require_two_factor: z.boolean().describe('of every administrator'),
  invoice_instructions: z
    .string()
    .max(5000)
    .describe('how customers pay an invoice; empty: paying by invoice is not offered'),
  receipt_seller: z.string().max(2000).describe('who sells, as receipts name it: name, address, tax number'),
})

export type Settings = z.infer<typeof settings>

export const patchSettings = z.object({
  sign_up: settings.shape.sign_up.optional(),
  email_verification: settings.shape.email_verification.optional(),
  default_limits: keyLimits.partial().optional(),
  require_two_factor: settings.shape.require_two_factor.optional(),
  invoice_instructions: settings.shape.invoice_instructions.optional(),
  receipt_seller: settings.shape.receipt_seller.optional(),
})
