import { Piscina } from 'piscina'
import type { ServiceError } from '#contract/errors.ts'
import type { TokenBuckets } from '#contract/usage.ts'
import type { AskedEndpoint, RequestOutline } from '#gateway/generation-request.ts'
import type { ReplyReading } from '#gateway/providers/read-reply.ts'
import type { Outcome } from '#lib/outcome.ts'

/** Texts to be counted for an estimate. */
export type EstimateTask = {
  readonly endpoint: AskedEndpoint
  /** null where the request holds nothing that could be counted. */
  readonly requestBytes: Buffer | null
  readonly outputText: string
}

export type ParseTask = {
  readonly endpoint: AskedEndpoint
  readonly bytes: Buffer
  readonly contentType: string
}

export type ReplyTask = {
  readonly endpoint: AskedEndpoint
  readonly bytes: Buffer
  readonly publicModel: string
  readonly contentType: string
}

/** Work that would hold up the event loop, done by threads that are started when first needed and end when idle. */
export type OffThread = {
  parseRequest(task: ParseTask): Promise<Outcome<RequestOutline, ServiceError>>
  readReply(task: ReplyTask): Promise<ReplyReading>
  estimateTokens(task: EstimateTask): Promise<TokenBuckets>
  close(): Promise<void>
}

const IDLE_MS = 60_000

export function createOffThread(): OffThread {
  const pool = new Piscina({
    filename: new URL('./tasks.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 2,
    idleTimeout: IDLE_MS,
  })
  return {
    parseRequest: task => pool.run(task, { name: 'parseRequest' }),
    readReply: task => pool.run(task, { name: 'readReply' }),
    estimateTokens: task => pool.run(task, { name: 'estimateTokens' }),
    close: () => pool.destroy(),
  }
}
