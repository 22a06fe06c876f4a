import type { SettingsRegister } from '#domains/settings/settings.ts'
import type { Clock } from '#lib/clock.ts'
import type { PaymentProcessor } from './payment-processor.ts'

/** An invoice that nobody paid in this time is closed; a payment that comes later can still be marked. */
const PATIENCE_MS = 30 * 86_400_000

export type InvoiceParts = {
  readonly settings: Pick<SettingsRegister, 'get'>
  readonly clock: Clock
}

/** The customer pays as the operator's instructions say, and the operator marks the order paid. */
export function createInvoiceProcessor({ settings, clock }: InvoiceParts): PaymentProcessor {
  const readInstructions = async () => (await settings.get()).invoice_instructions.trim()
  return {
    name: 'invoice',
    isOffered: async () => (await readInstructions()) !== '',
    open: async order => ({
      step: { kind: 'instructions', text: `${await readInstructions()}\n\nPayment reference: ${order.id}` },
      checkoutReference: null,
      expiresAt: clock.now() + PATIENCE_MS,
    }),
    standing: null,
    refund: null,
    chargeSaved: null,
    findSavedCharge: null,
  }
}
