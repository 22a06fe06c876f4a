import { refusals } from '#contract/errors.ts'
import { PaymentProcessorFailed } from '#domains/orders/payment-processor.ts'
import type { Payments } from '#domains/orders/payments.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'

export type StripeWebhookParts = {
  /** null while no secret is set: then nothing that comes can be believed. */
  readonly payments: Pick<Payments, 'receive'> | null
}

/** `POST /webhooks/stripe`: 200 when the message was understood, anything else has Stripe send it again. */
export function registerStripeWebhook(app: HttpApp, { payments }: StripeWebhookParts): void {
  void app.register(async scope => {
    // The signature is over the bytes as they came, whatever type they claim.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post('/webhooks/stripe', async (request, reply) => {
      if (payments === null) {
        return sendError(reply, refusals.unavailable('Payments by Stripe are not set up', 3600))
      }
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const signature = request.headers['stripe-signature']
      try {
        const outcome = await payments.receive({
          body,
          signature: typeof signature === 'string' ? signature : undefined,
        })
        return outcome.ok ? reply.send({ received: true }) : sendError(reply, outcome.refusal)
      } catch (error) {
        if (!(error instanceof PaymentProcessorFailed)) throw error
        return sendError(reply, refusals.unavailable('Stripe could not be asked about this payment', 10))
      }
    })
  })
}
