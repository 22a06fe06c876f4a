import { z } from 'zod'
import { branding } from './branding.ts'
import { keyLimits } from './keys.ts'
import { pricing } from './provider-models.ts'

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
  request_retention_days: z
    .number()
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .describe(
      'how long single requests are kept; null: for ever. Sums of usage and the ledger are kept for ever',
    ),
  low_balance_percent: z
    .number()
    .int()
    .min(0)
    .max(100)
    .describe('a balance is low when less than this share of what was last allocated is left; 0: never'),
  receipt_seller: z.string().max(2000).describe('who sells, as receipts name it: name, address, tax number'),
  branding: branding.describe('how the service presents itself'),
  pricing: pricing.describe('how list prices of models become weights, where nothing else is said'),
})

export type Settings = z.infer<typeof settings>

export const patchSettings = z.object({
  sign_up: settings.shape.sign_up.optional(),
  email_verification: settings.shape.email_verification.optional(),
  default_limits: keyLimits.partial().optional(),
  require_two_factor: settings.shape.require_two_factor.optional(),
  invoice_instructions: settings.shape.invoice_instructions.optional(),
  request_retention_days: settings.shape.request_retention_days.optional(),
  low_balance_percent: settings.shape.low_balance_percent.optional(),
  receipt_seller: settings.shape.receipt_seller.optional(),
  branding: branding.partial().optional(),
  pricing: pricing.partial().optional(),
})
