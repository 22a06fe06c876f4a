import type { PaymentStep, ProcessorName } from '#contract/orders.ts'
import type { OrderRow, PaymentMethodRow } from '#storage/sales-tables.ts'

/** Where the buyer's browser comes back to; coming back says nothing about whether anything was paid. */
export type ReturnUrls = { readonly paid: string; readonly cancelled: string }

/** A payment that can be made now. */
export type OpenedPayment = {
  readonly step: PaymentStep
  /** The processor's name for the page on which the order is paid; null where there is none. */
  readonly checkoutReference: string | null
  /** Epoch milliseconds; until then the order waits. */
  readonly expiresAt: number
}

/** Everything that a processor knows about an order's payment at one moment, whatever order its messages came in. */
export type PaymentStanding = {
  /** What was received in all, in the minor unit; null while nothing was. */
  readonly received: { readonly amountMinor: number; readonly currency: string } | null
  readonly refundedMinor: number
  /** Whether the payer's bank has the money back, or holds it: open and lost disputes. */
  readonly isDisputed: boolean
  /** Why nothing more will come; null while it may. */
  readonly ended: null | { readonly state: 'expired' | 'failed'; readonly problem: string | null }
  readonly paymentReference: string | null
  /** A way to pay that the buyer let us keep. */
  readonly savedMethod: Pick<PaymentMethodRow, 'customer_reference' | 'method_reference' | 'label'> | null
}

/** The processor did not answer, or answered what makes no sense; whoever asked tries again later. */
export class PaymentProcessorFailed extends Error {
  override readonly name = 'PaymentProcessorFailed'
}

/**
 * One way to be paid. Processors move money and tell how a payment stands; they never touch a balance. All calls may
 * be repeated: each is keyed by the order. They throw PaymentProcessorFailed.
 */
export type PaymentProcessor = {
  readonly name: ProcessorName
  /** Whether it is set up: an operator who gave no secret, or wrote no instructions, does not offer it. */
  isOffered(): Promise<boolean>
  open(order: OrderRow, options: OpenOptions): Promise<OpenedPayment>
  /** null where only the operator knows, by looking at the bank account. */
  readonly standing: ((order: OrderRow) => Promise<PaymentStanding>) | null
  /** Pays back a part of what was received; null where the operator does that by hand. */
  readonly refund: ((order: OrderRow, amountMinor: number) => Promise<PaymentStanding>) | null
  /** Charges a saved method without its owner being there; null where nothing can be saved. */
  readonly chargeSaved: ((order: OrderRow, method: PaymentMethodRow) => Promise<PaymentStanding>) | null
  /** What came of charging one, whichever it was, without charging: null when nothing was begun. There where `chargeSaved` is. */
  readonly findSavedCharge: ((order: OrderRow) => Promise<PaymentStanding | null>) | null
}

export type OpenOptions = {
  readonly returnUrls: ReturnUrls
  readonly saveMethod: boolean
  readonly buyerEmail: string
}

export type PaymentProcessors = ReadonlyMap<ProcessorName, PaymentProcessor>
