import { z } from 'zod'
import { keyLimits } from './keys.ts'

/** What the operator decides for the whole service. */
export const settings = z.object({
  sign_up: z.enum(['open', 'closed']),
  default_limits: keyLimits,
})

export type Settings = z.infer<typeof settings>

export const patchSettings = z.object({
  sign_up: settings.shape.sign_up.optional(),
  default_limits: keyLimits.partial().optional(),
})
