import { setTimeout as sleep } from 'node:timers/promises'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { type EndpointName, type RequestStatus, type TokenBuckets, UNIT_OF } from '#contract/usage.ts'
import type { Ledger } from '#domains/billing/ledger.ts'
import { type UnitCharge, unitChargeToJson } from '#domains/billing/unit-weights.ts'
import { weigh } from '#domains/billing/weights.ts'
import type { CatalogModel, CatalogRoute } from '#domains/catalog/snapshot.ts'
import type { Claim } from '#domains/idempotency/idempotency-claims.ts'
import type { KeptAnswer } from '#domains/idempotency/kept-answer.ts'
import { attemptsToJson } from '#domains/usage/attempts.ts'
import type { AdmissionEngine } from '#gateway/admission/engine.ts'
import type { AttemptStory } from '#gateway/attempt-story.ts'
import type { Admitted } from '#gateway/exchange.ts'
import type { Metered } from '#gateway/metering/meter.ts'
import type { Clock } from '#lib/clock.ts'
import { type Micros, ZERO_MICROS } from '#lib/money.ts'
import type { PostingOutcome } from '#storage/storage.ts'
import { StorageUnavailable } from '#storage/storage.ts'
import type { RequestRow } from '#storage/tables.ts'
import { type Log, loggableError, logPrepared } from '#telemetry/log.ts'
import { requestLine } from './request-line.ts'

const NO_TOKENS: TokenBuckets = { input: 0, cache_read: 0, cache_write: 0, output: 0 }

/** How long a commit that fails is tried again, while the client still waits for its last byte. */
const RETRY_PAUSES_MS = [50, 200, 800, 2_000]

/** What becomes known of a request on its way; the record shows as much of it as there was. */
export type Progress = {
  model: string | null
  stream: boolean
  pricedModel: CatalogModel | null
  route: CatalogRoute | null
  firstTokenMs: number | null
  /** The story of its attempts, where there is one to tell. */
  attempts: AttemptStory | null
}

export type Posted = {
  readonly status: Exclude<RequestStatus, 'failed'>
  readonly metered: Metered
  /** What a repeat of the request gets, if it has a key by which repeats are known; null where that is nothing. */
  readonly answer: KeptAnswer | null
}

export type Voided =
  | { readonly status: 'failed'; readonly httpStatus: number; readonly error: ServiceError }
  | { readonly status: 'cancelled'; readonly httpStatus: number }

/** All that a record says of how its request ended. */
type Ending = {
  readonly status: RequestStatus
  readonly httpStatus: number
  readonly charge: Micros
  /** What is charged beside tokens. */
  readonly unit: UnitCharge | null
  /** null for a request that is not charged. */
  readonly metered: Metered | null
  readonly error: ServiceError | null
}

type Settling = { readonly charged: boolean; readonly answer: KeptAnswer | null }
type Recording = Parameters<Ledger['record']>[1]

export type SettlementParts = {
  readonly ledger: Ledger
  readonly engine: AdmissionEngine
  readonly clock: Clock
  readonly log: Log
}

/** Another request has taken over the key of this one, which took too long to say that it still runs: it may not be charged. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost'
  readonly refusal = refusals.conflict('Another request with this Idempotency-Key was made meanwhile')
}

/**
 * The one handle through which an admitted request ends. The first `post` or `void` wins, later ones change nothing;
 * either way the usage record is committed and the slot is free when it resolves.
 */
export class Settlement {
  readonly progress: Progress = {
    model: null,
    stream: false,
    pricedModel: null,
    route: null,
    firstTokenMs: null,
    attempts: null,
  }
  readonly #admitted: Admitted
  readonly #parts: SettlementParts
  #settled: Promise<void> | null = null
  #claim: Claim | null = null

  constructor(admitted: Admitted, parts: SettlementParts) {
    this.#admitted = admitted
    this.#parts = parts
  }

  /** From now on the request holds a key by which its repeats are known, until it is settled. */
  hold(claim: Claim): void {
    this.#claim = claim
  }

  /**
   * Charges the request. Resolves when the charge is committed; throws when the store can't take it, and `ClaimLost` where
   * it is another request's by now.
   */
  post({ status, metered, answer }: Posted): Promise<void> {
    const { pricedModel } = this.progress
    if (!pricedModel) throw new Error('Only a request for a priced model can be charged')
    const unit = unitCharge(this.#admitted.endpoint, pricedModel, metered)
    const charge = weigh(metered.buckets, pricedModel.weights, unit)
    const ending = { status, httpStatus: 200, charge, unit, metered, error: null }
    this.#settled ??= this.#settle(this.#row(ending), { charged: true, answer })
    return this.#settled
  }

  /** Frees the slot of a request that is over, while it is still being settled; again does nothing. Tells when as the engine does. */
  releaseSlot(): Promise<void> | null {
    const { slot } = this.#admitted.admission
    return slot && this.#parts.engine.release(slot)
  }

  /** Ends the request without a charge. Never throws: a record that is lost is in the log. */
  async void(voided: Voided): Promise<void> {
    const { status, httpStatus } = voided
    const error = status === 'failed' ? voided.error : null
    this.#settled ??= this.#settle(
      this.#row({ status, httpStatus, charge: ZERO_MICROS, unit: null, metered: null, error }),
      { charged: false, answer: null },
    )
    await this.#settled.catch(() => {})
  }

  /** Ends a request that gets the answer of an earlier one: that one is on record, and was charged. */
  async repeat(earlierId: string): Promise<void> {
    this.#settled ??= Promise.resolve()
    const { requestId, caller } = this.#admitted
    this.#parts.log.info(
      { request_id: requestId, key_id: caller.keyId, repeat_of: earlierId },
      'a request was answered again',
    )
    await this.releaseSlot()
  }

  async #settle(row: RequestRow, settling: Settling): Promise<void> {
    const { charged, answer } = settling
    let outcome: 'kept' | 'free' = 'free'
    try {
      const also = charged && this.#claim ? [await this.#claim.keep(answer)] : undefined
      const recording = { charged, also }
      try {
        checkRecorded(await this.#parts.ledger.record(row, recording))
      } catch (error) {
        await this.#recordLater(row, recording, error).catch(last => this.#chargeAlone(row, settling, last))
      }
      if (charged) outcome = 'kept'
    } catch (error) {
      if (!(error instanceof ClaimLost)) this.#logLost(row, error)
      else await this.#parts.ledger.record(withoutCharge(row, error.refusal), { charged: false })
      throw error
    } finally {
      // Whoever holds the answer has the slot back, and is charged, on every node.
      const freed = this.releaseSlot()
      if (freed !== null) await freed
      if (this.#claim) await this.#claim.end(outcome)
    }
    logPrepared(this.#parts.log, 'info', requestLine(row))
  }

  #logLost(row: RequestRow, error: unknown): void {
    this.#parts.log.error(
      { error: loggableError(error), record: wholeRecord(row) },
      'a usage record was not committed',
    )
  }

  /** Tries again what could not be committed; throws the last error when it stays so. */
  async #recordLater(row: RequestRow, recording: Recording, firstError: unknown): Promise<void> {
    let lastError = firstError
    for (const pauseMs of RETRY_PAUSES_MS) {
      if (lastError instanceof ClaimLost) break
      this.#parts.log.warn(
        { request_id: row.id, error: loggableError(lastError) },
        'settling will be tried again',
      )
      await sleep(pauseMs)
      try {
        return checkRecorded(await this.#parts.ledger.record(row, recording))
      } catch (error) {
        lastError = error
      }
    }
    throw lastError
  }

  /**
   * What a stream has brought its client is owed, even where nothing can be kept of its claim, which lapses then: a charge
   * by itself waits on this node's disk while the store is away. An answer that has not gone out is not owed.
   */
  async #chargeAlone(row: RequestRow, { charged, answer }: Settling, error: unknown): Promise<void> {
    const isOwed = charged && this.#claim !== null && answer === null
    if (!isOwed || !(error instanceof StorageUnavailable)) throw error
    checkRecorded(await this.#parts.ledger.record(row, { charged }))
  }

  #row({ status, httpStatus, charge, unit, metered, error }: Ending): RequestRow {
    const { caller, requestId, clientRequestId, arrivedAt, arrivedMonotonicMs, endpoint } = this.#admitted
    const { model, stream, pricedModel, route, firstTokenMs, attempts } = this.progress
    const buckets = metered?.buckets ?? NO_TOKENS
    return {
      id: requestId,
      account_id: caller.accountId,
      key_id: caller.keyId,
      model,
      endpoint,
      stream: stream ? 1 : 0,
      provider: route?.provider.name ?? null,
      upstream_model: route?.upstreamModel ?? null,
      status,
      http_status: httpStatus,
      input_tokens: buckets.input,
      cache_read_tokens: buckets.cache_read,
      cache_write_tokens: buckets.cache_write,
      cache_write_1h_tokens: buckets.cache_write_1h ?? 0,
      output_tokens: buckets.output,
      weights_json: pricedModel?.weightsJson ?? null,
      unit_json: unit && unitChargeToJson(unit),
      charge_micros: charge,
      usage_source: metered?.source ?? null,
      latency_ms: Math.round(this.#parts.clock.monotonicMs() - arrivedMonotonicMs),
      first_token_ms: firstTokenMs,
      error_type: error?.type ?? null,
      error_code: error?.code ?? null,
      client_request_id: clientRequestId,
      anomalous_usage_json: metered?.anomaly ?? null,
      attempts_json: attempts && attemptsToJson(attempts.told),
      created_at: arrivedAt,
    }
  }
}

/** A repeat of a commit whose answer was lost finds its own record: it is settled all the same. */
function checkRecorded({ kind }: PostingOutcome): void {
  if (kind === 'no-account') throw new Error('The account of an admitted request is missing')
  if (kind === 'unmet') throw new ClaimLost()
}

/** The record of a request that was answered in vain. */
function withoutCharge(row: RequestRow, error: ServiceError): RequestRow {
  return {
    ...row,
    status: 'failed',
    http_status: error.status,
    input_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    cache_write_1h_tokens: 0,
    output_tokens: 0,
    unit_json: null,
    charge_micros: ZERO_MICROS,
    usage_source: null,
    error_type: error.type,
    error_code: error.code,
    anomalous_usage_json: null,
  }
}

/** What the endpoint is charged by beside tokens; null where it is charged by them alone. */
function unitCharge(
  endpoint: EndpointName,
  { unitWeights }: CatalogModel,
  { unitCount }: Metered,
): UnitCharge | null {
  const name = UNIT_OF[endpoint]
  if (name === undefined || unitCount === null) return null
  const weight = unitWeights.get(name)
  if (weight === undefined) throw new Error(`A model serves ${endpoint} without a weight for it`)
  return { name, count: unitCount, weight }
}

/** A record that could not be committed, with all that is needed to post it by hand. */
function wholeRecord(row: RequestRow): Record<string, unknown> {
  return { ...row, charge_micros: String(row.charge_micros) }
}
