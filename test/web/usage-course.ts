/** Four weeks and a day of an account's requests, put on record as the service itself does it: something to look at. */
import { newId } from '#lib/id.ts'
import { micros } from '#lib/money.ts'
import type { RequestRow } from '#storage/tables.ts'
import { entryOf, requestOf } from '#test/storage/rows.ts'
import { MODEL, type PortalStage } from './portal-stage.ts'

const DAY = 24 * 3_600_000

export const MODELS = [MODEL, 'acme/thinker-2-large', 'other/embed-small'] as const

export type UsageCourse = {
  readonly accountId: string
  readonly keyIds: readonly string[]
  readonly nowMs: number
  readonly days?: number
}

/** Gives the records, the oldest first: six on each day, the last of them in this minute. */
export async function postUsage(
  { gateway }: Pick<PortalStage, 'gateway'>,
  { accountId, keyIds, nowMs, days = 29 }: UsageCourse,
): Promise<RequestRow[]> {
  const count = days * 6
  const rows = Array.from({ length: count }, (_, index): RequestRow => {
    const created_at = nowMs - 1_000 - Math.floor(((count - 1 - index) * DAY) / 6)
    const failed = index % 11 === 3
    const day = Math.floor(index / 6)
    const tokens = {
      input_tokens: failed ? 0 : 900 + ((index * 271) % 1_400) + day * 25,
      cache_read_tokens: failed ? 0 : 2 * ((index * 173) % 900),
      cache_write_tokens: failed ? 0 : (index * 61) % 300,
      output_tokens: failed ? 0 : 120 + ((index * 97) % 500),
    }
    const charge = micros(
      BigInt(
        2 * tokens.input_tokens +
          tokens.cache_read_tokens / 2 +
          3 * tokens.cache_write_tokens +
          10 * tokens.output_tokens,
      ),
    )
    return {
      ...requestOf(accountId, 0, newId('req', created_at)),
      ...tokens,
      created_at,
      key_id: keyIds[index % 5 === 0 ? 1 : 0] ?? '',
      model: MODELS[index % 6 < 3 ? 0 : index % 6 < 5 ? 1 : 2] ?? null,
      stream: index % 2 === 0 ? 1 : 0,
      weights_json: '{"input":"2","cache_read":"0.5","cache_write":"3","output":"10"}',
      charge_micros: charge,
      status: failed ? 'failed' : 'succeeded',
      http_status: failed ? 502 : 200,
      error_type: failed ? 'upstream_error' : null,
      usage_source: failed ? null : index % 9 === 0 ? 'estimate' : 'upstream',
      latency_ms: 400 + ((index * 379) % 2_600),
      first_token_ms: !failed && index % 2 === 0 ? 90 + ((index * 53) % 400) : null,
    }
  })
  const { storage } = gateway.app
  const outcomes = await Promise.all(
    rows.map(request =>
      storage.post({
        accountId,
        request,
        entry: request.status === 'failed' ? null : entryOf('charge', -request.charge_micros, request.id),
      }),
    ),
  )
  if (outcomes.some(({ kind }) => kind !== 'posted')) throw new Error('a request could not be put on record')
  return rows
}
