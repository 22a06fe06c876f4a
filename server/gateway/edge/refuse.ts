import type { ServiceError } from '#contract/errors.ts'
import type { Admission } from '#gateway/admission/admit.ts'
import type { Arrival } from '#gateway/exchange.ts'
import type { Log } from '#telemetry/log.ts'
import { sendError } from './respond.ts'

export type Refusing = {
  readonly log: Log
  /** What was decided, if it came to that. */
  readonly admission?: Admission | null
  readonly keyId?: string
}

/** Answers a request that is not let in. It leaves no record: a line of the log is what is found by its id. */
export function refuse(
  arrival: Arrival,
  error: ServiceError,
  { log, admission = null, keyId }: Refusing,
): void {
  log.info(
    {
      request_id: arrival.requestId,
      client_request_id: arrival.clientRequestId,
      key_id: keyId ?? null,
      ended: 'refused',
      status: error.status,
      error: { type: error.type, code: error.code },
    },
    'request',
  )
  sendError({ ...arrival, admission }, error)
}
