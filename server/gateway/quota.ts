import { refusals } from '#contract/errors.ts'
import { creditUsage } from '#domains/billing/credit-usage.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import type { Log } from '#telemetry/log.ts'
import { loggableError } from '#telemetry/log.ts'
import { type Admission, type AdmissionParts, admit, refusalOf } from './admission/admit.ts'
import { type AuthenticationParts, authenticate } from './authentication/authenticate.ts'
import { refuse } from './edge/refuse.ts'
import { sendError, sendReply } from './edge/respond.ts'
import type { Arrival } from './exchange.ts'

export type QuotaParts = AuthenticationParts &
  AdmissionParts & {
    readonly keyUsed: (keyId: string) => void
    readonly settings: Pick<SettingsRegister, 'get'>
    readonly log: Log
  }

/** `GET /v1/quota`: what the account of the calling key has used and has left. Counts in the rate window alone. */
export async function serveQuota(arrival: Arrival, parts: QuotaParts): Promise<void> {
  let admission: Admission | null = null
  try {
    const authenticated = await authenticate(arrival, parts)
    if (!authenticated.ok) return refuse(arrival, authenticated.refusal, parts)
    const { keyId, accountId } = authenticated.value
    admission = await admit(parts, authenticated.value, 'rate')
    const refusal = refusalOf(admission)
    if (refusal) return refuse(arrival, refusal, { keyId, log: parts.log, admission })
    parts.keyUsed(keyId)
    const [balance, settings] = await Promise.all([parts.findBalance(accountId), parts.settings.get()])
    if (!balance) throw new Error('The account of an authenticated key is missing')
    const usage = creditUsage(balance, settings.low_balance_percent)
    const body = { object: 'quota', account_id: accountId, ...usage }
    sendReply({ ...arrival, admission }, { pieces: [Buffer.from(JSON.stringify(body))] })
  } catch (error) {
    parts.log.error(
      { request_id: arrival.requestId, error: loggableError(error) },
      'the quota could not be read',
    )
    sendError({ ...arrival, admission }, refusals.unavailable('The quota can not be read right now'))
  }
}
