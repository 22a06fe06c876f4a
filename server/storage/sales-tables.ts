/** The tables of buying and selling, as Kysely sees them; conventions as in `tables.ts`. */
import type { OrderState, ProcessorName } from '#contract/orders.ts'
import type { Micros } from '#lib/money.ts'
import type { Flag } from './tables.ts'

export type OrderRow = {
  id: string
  account_id: string
  /** Who ordered; null for an automatic top-up. */
  user_id: string | null
  package_id: string
  /** What was sold, as it was on sale at that moment. */
  package_name: string
  credits_micros: Micros
  price_minor: number
  currency: string
  processor: ProcessorName
  state: OrderState
  automatic: Flag
  /** The processor's names for the page on which it is paid, and for the payment. */
  checkout_reference: string | null
  payment_reference: string | null
  payment_step_json: string | null
  refunded_minor: number
  /** Of the credits sold, what refunds and disputes have taken back. */
  taken_back_micros: Micros
  problem: string | null
  note: string
  created_at: number
  expires_at: number | null
  /** When its credits were put on the ledger. */
  paid_at: number | null
}

/** A way to pay that a customer let us keep: references of the processor, no card. */
export type PaymentMethodRow = {
  account_id: string
  processor: ProcessorName
  customer_reference: string
  method_reference: string
  label: string
  created_at: number
}

export type AutoTopUpRow = {
  account_id: string
  enabled: Flag
  package_id: string
  threshold_micros: Micros
  monthly_ceiling_minor: number
  /** Counts the orders that were made, so that none is made from a picture that is out of date. */
  orders_made: number
  failures: number
  next_attempt_at: number | null
  problem: string | null
}

export type PromoCodeRow = {
  id: string
  /** In capitals. */
  code: string
  credits_micros: Micros
  max_uses: number | null
  max_uses_per_account: number
  uses: number
  valid_days: number | null
  expires_at: number | null
  enabled: Flag
  note: string
  created_at: number
}

export type PromoRedemptionRow = {
  promo_code_id: string
  account_id: string
  /** 1 for the account's first use of the code, and so on. */
  ordinal: number
  entry_id: string
  created_at: number
}

/** Granted credits with an end date. */
export type CreditLotRow = {
  /** The id of the grant's ledger entry. */
  id: string
  account_id: string
  amount_micros: Micros
  /** What the account had used when the credits were granted. */
  used_before_micros: Micros
  /** What of the grant was left to use after a debt was paid with it. */
  usable_micros: Micros
  expires_at: number
  /** null until its end has been put on the ledger. */
  expired_at: number | null
  used_at_expiry_micros: Micros | null
  expired_micros: Micros | null
  created_at: number
}

export type SalesTables = {
  orders: OrderRow
  payment_methods: PaymentMethodRow
  auto_top_ups: AutoTopUpRow
  promo_codes: PromoCodeRow
  promo_redemptions: PromoRedemptionRow
  credit_lots: CreditLotRow
}
