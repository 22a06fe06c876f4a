import type { WholeRequest } from '#server/http/client-exchange.ts'
import type { GlancedHead } from './glance-at-head.ts'

/** A request of the front door. */
export class Request implements WholeRequest {
  readonly method = 'POST'
  readonly url: string
  readonly headers: WholeRequest['headers']
  readonly body: Buffer
  destroyed = false

  constructor({ url, headers }: GlancedHead, body: Buffer) {
    this.url = url
    this.headers = headers
    this.body = body
  }
}
