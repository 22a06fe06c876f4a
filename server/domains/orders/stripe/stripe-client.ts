import type Stripe from 'stripe'
import { PaymentProcessorFailed } from '#domains/orders/payment-processor.ts'

/** How we reach Stripe. */
export type StripeAccess = {
  readonly secretKey: string
  readonly webhookSecret: string
  /** Another address of its API, such as a proxy's; null for Stripe's own. */
  readonly apiUrl: string | null
}

/** A request that Stripe does not answer by then is given up; it is safe to send it again. */
const TIMEOUT_MS = 20_000

/** Gives the client, loading the library when it is needed first: most installations never sell anything. */
export type GetStripe = () => Promise<Stripe>

export function createStripeClient({ secretKey, apiUrl }: StripeAccess): GetStripe {
  let loading: Promise<Stripe> | null = null
  return () => {
    loading ??= import('stripe').then(
      ({ default: StripeClient }) =>
        new StripeClient(secretKey, { timeout: TIMEOUT_MS, telemetry: false, ...addressOf(apiUrl) }),
    )
    return loading
  }
}

function addressOf(apiUrl: string | null): Stripe.StripeConfig {
  if (apiUrl === null) return {}
  const { protocol, hostname, port } = new URL(apiUrl)
  return {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port === '' ? {} : { port }),
  }
}

/** Runs a call; whatever Stripe or the way to it refuses comes out as PaymentProcessorFailed. */
export async function callStripe<Result>(
  getStripe: GetStripe,
  call: (stripe: Stripe) => Promise<Result>,
): Promise<Result> {
  try {
    return await call(await getStripe())
  } catch (error) {
    if (error instanceof PaymentProcessorFailed) throw error
    throw new PaymentProcessorFailed(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
