import { hash } from 'node:crypto'
import type { Cipher } from '#lib/cipher.ts'
import type { Clock } from '#lib/clock.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { IdempotencyClaimRow } from '#storage/tables.ts'
import { type Log, loggableError } from '#telemetry/log.ts'
import { type KeptAnswer, openAnswer, sealAnswer } from './kept-answer.ts'
import { createLeases } from './leases.ts'

const KEPT_MS = 24 * 3_600_000

/** A request with a key of its caller's choice. */
export type KeyedRequest = {
  readonly accountId: string
  /** What the caller calls the request. */
  readonly key: string
  readonly requestId: string
  /** Tells requests apart: equal for repeats. */
  readonly fingerprint: string
}

/** A key that a request holds until it ends. */
export type Claim = {
  /** To be committed with the charge: keeps the answer, and fails where the claim was lost. null for streams. */
  keep(answer: KeptAnswer | null): Promise<Statement>
  /** The request is over: what was not kept is free for the next one. Never throws. */
  end(outcome: 'kept' | 'free'): Promise<void>
}

/** What became of a request's key. */
export type Claiming =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  | { readonly kind: 'other-request' }
  | { readonly kind: 'running' }
  /** `answer` is null where none was kept. */
  | { readonly kind: 'done'; readonly requestId: string; readonly answer: KeptAnswer | null }

export type IdempotencyClaims = {
  /** Claims the key, unless another request holds it or was made with it. */
  claim(request: KeyedRequest): Promise<Claiming>
  /** Calls the listener when a request of this node with that key ends; other nodes' are to be looked for. */
  onEnd(request: KeyedRequest, listener: () => void): { stop(): void }
  /** Frees what an earlier process left, where the store is this process's own: its requests are over. */
  freeAbandoned(): Promise<void>
  deleteExpired(): Promise<void>
  close(): void
}

export type IdempotencyClaimsParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly cipher: Cipher
  readonly log: Log
}

export function createIdempotencyClaims(parts: IdempotencyClaimsParts): IdempotencyClaims {
  const { storage, clock, cipher, log } = parts
  const { db } = storage
  const leases = createLeases(parts)
  const listeners = new Map<string, Set<() => void>>()
  const nameOf = ({ accountId, key }: KeyedRequest) => `${accountId} ${hashKey(key)}`

  function find({ accountId, key }: KeyedRequest): Promise<IdempotencyClaimRow | undefined> {
    return db
      .selectFrom('idempotency_claims')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('key_hash', '=', hashKey(key))
      .executeTakeFirst()
  }

  /** Of many at once one succeeds, on whichever nodes they are. */
  async function take({ accountId, key, requestId, fingerprint }: KeyedRequest): Promise<boolean> {
    const now = clock.now()
    const held = {
      request_id: requestId,
      fingerprint,
      state: 'running' as const,
      lapses_at: leases.nextLapse(),
      expires_at: now + KEPT_MS,
      answer_ciphertext: null,
    }
    const query = db
      .insertInto('idempotency_claims')
      .values({ account_id: accountId, key_hash: hashKey(key), ...held })
      .onConflict(conflict =>
        conflict
          .columns(['account_id', 'key_hash'])
          .doUpdateSet(held)
          .where(({ eb, and, or }) =>
            or([
              eb('idempotency_claims.expires_at', '<=', now),
              and([
                eb('idempotency_claims.state', '=', 'running'),
                eb('idempotency_claims.lapses_at', '<=', now),
              ]),
            ]),
          ),
      )
    const outcome = await storage.commit([{ query }])
    if (outcome.kind !== 'committed') throw new Error(`A claim could not be made: ${outcome.kind}`)
    return outcome.rowsChanged[0] === 1
  }

  function isFree({ state, lapses_at, expires_at }: IdempotencyClaimRow): boolean {
    const now = clock.now()
    return expires_at <= now || (state === 'running' && lapses_at <= now)
  }

  async function describe(row: IdempotencyClaimRow, request: KeyedRequest): Promise<Claiming> {
    const { fingerprint, state, request_id: requestId, answer_ciphertext: ciphertext } = row
    if (fingerprint !== request.fingerprint) return { kind: 'other-request' }
    if (state === 'running') return { kind: 'running' }
    const answer = ciphertext === null ? null : await openAnswer(ciphertext, requestId, cipher)
    return { kind: 'done', requestId, answer }
  }

  function hold(request: KeyedRequest): Claim {
    const { requestId } = request
    leases.hold(requestId)
    return {
      keep: async answer => ({
        query: db
          .updateTable('idempotency_claims')
          .set({
            state: 'done',
            expires_at: clock.now() + KEPT_MS,
            answer_ciphertext: answer && (await sealAnswer(answer, requestId, cipher)),
          })
          .where('request_id', '=', requestId)
          .where('state', '=', 'running'),
        expectRows: 1,
      }),
      end: async outcome => {
        leases.drop(requestId)
        if (outcome === 'free') await free(requestId)
        for (const listener of listeners.get(nameOf(request)) ?? []) listener()
      },
    }
  }

  async function free(requestId: string): Promise<void> {
    const query = db
      .deleteFrom('idempotency_claims')
      .where('request_id', '=', requestId)
      .where('state', '=', 'running')
    await storage.commit([{ query }]).catch(error => {
      log.warn(
        { request_id: requestId, error: loggableError(error) },
        'a claim could not be freed: it lapses',
      )
    })
  }

  return {
    claim: async request => {
      for (;;) {
        const row = await find(request)
        if (row && !isFree(row)) return describe(row, request)
        if (await take(request)) return { kind: 'claimed', claim: hold(request) }
      }
    },
    onEnd: (request, listener) => {
      const name = nameOf(request)
      const all = listeners.get(name) ?? new Set()
      listeners.set(name, all.add(listener))
      return {
        stop: () => {
          all.delete(listener)
          if (all.size === 0) listeners.delete(name)
        },
      }
    },
    freeAbandoned: async () => {
      if (storage.engine !== 'sqlite') return
      const query = db.deleteFrom('idempotency_claims').where('state', '=', 'running')
      await storage.commit([{ query }])
    },
    deleteExpired: async () => {
      const query = db.deleteFrom('idempotency_claims').where('expires_at', '<=', clock.now())
      await storage.commit([{ query }])
    },
    close: leases.close,
  }
}

const hashKey = (key: string) => hash('sha256', key, 'hex')
