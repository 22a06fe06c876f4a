import type { WholeRequest } from '#server/http/client-exchange.ts'
import { type Fields, fieldName } from './fields.ts'
import type { GlancedHead } from './glance-at-head.ts'

/** A request of the front door. */
export class Request implements WholeRequest {
  readonly method = 'POST'
  readonly url: string
  readonly body: Buffer
  readonly #fields: Fields
  destroyed = false

  constructor({ url, fields }: GlancedHead, body: Buffer) {
    this.url = url
    this.#fields = fields
    this.body = body
  }

  header(name: string): string | undefined {
    return this.#fields.find(fieldName(name))
  }
}
