/** The service with a model whose upstream speaks a protocol of its own, and the official OpenAI library as its caller. */
import OpenAI, { APIError } from 'openai'
import { expect } from 'vitest'
import type { RequestRecord } from '#domains/usage/request-record.ts'
import { expectBooksToAddUp, readBooks } from '#test/support/books.ts'
import { eventually } from '#test/support/eventually.ts'
import { makeCaller, type NewCaller } from './admin-client.ts'
import { startGateway, type TestGateway } from './gateway.ts'
import { startUpstream, type Upstream } from './upstream.ts'

export const PUBLIC_MODEL = 'public/model'
/** Odd ones, so that a token in a wrong bucket shows in the charge. */
export const TRANSLATED_WEIGHTS = { input: 2, cache_read: 0.3, cache_write: 5, output: 11 } as const

export type TranslatedStage = {
  readonly gateway: TestGateway
  readonly upstream: Upstream
  readonly caller: NewCaller
  readonly client: OpenAI
  readonly credential: string | null
  /** The newest record, once it is there. */
  lastRecord(): Promise<RequestRecord>
  /** Expects the newest request to be charged for these tokens, and the books to add up; the last are part of what was written. */
  expectCharged(
    input: number,
    cacheRead: number,
    cacheWrite: number,
    output: number,
    cacheWrite1h?: number,
  ): Promise<void>
  /** Expects the newest request to have failed, and to have cost nothing. */
  expectFree(): Promise<void>
  close(): Promise<void>
}

export type TranslatedStageOptions = {
  readonly kind: string
  readonly credential: string | null
  readonly upstreamModel: string
  readonly endpoints?: readonly string[]
  /** What the provider's base URL has after the upstream's address; an upstream given from outside has its own. */
  readonly basePath?: string
  readonly baseUrl?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly timeouts?: { connect_ms?: number; first_byte_ms?: number; idle_ms?: number }
}

export async function startTranslatedStage({
  kind,
  credential,
  upstreamModel,
  endpoints = ['chat'],
  basePath = '/v1',
  baseUrl,
  headers = {},
  timeouts = { first_byte_ms: 400, idle_ms: 300 },
}: TranslatedStageOptions): Promise<TranslatedStage> {
  const upstream = await startUpstream()
  const gateway = await startGateway()
  const { admin } = gateway
  const provider = await admin.call<{ id: string }>('POST', '/admin/providers', {
    name: `A ${kind} upstream`,
    kind,
    base_url: baseUrl ?? new URL(basePath, upstream.baseUrl).href,
    credential,
    headers,
    timeouts,
  })
  await admin.call('POST', '/admin/models', {
    id: PUBLIC_MODEL,
    endpoints,
    weights: TRANSLATED_WEIGHTS,
    routes: [{ provider_id: provider.id, upstream_model: upstreamModel }],
  })
  const caller = await makeCaller(admin, {
    credits: 1_000_000,
    limits: { requests: 100_000, concurrency: 100 },
  })
  const lastRecord = async (): Promise<RequestRecord> => {
    const { data } = await admin.call<{ data: RequestRecord[] }>('GET', '/admin/requests?limit=1')
    if (!data[0]) throw new Error('There is no record')
    return data[0]
  }
  const expectBooks = async () => expectBooksToAddUp(await readBooks(gateway.app.storage, caller.accountId))
  return {
    gateway,
    upstream,
    caller,
    credential,
    client: new OpenAI({ apiKey: caller.token, baseURL: `${gateway.url}/v1`, maxRetries: 0 }),
    lastRecord,
    expectCharged: async (input, cacheRead, cacheWrite, output, cacheWrite1h) => {
      const { usage, credits, usage_source, status } = await lastRecord()
      expect({ usage, usage_source, status }).toEqual({
        usage: {
          input,
          cache_read: cacheRead,
          cache_write: cacheWrite,
          output,
          ...(cacheWrite1h === undefined ? {} : { cache_write_1h: cacheWrite1h }),
        },
        usage_source: 'upstream',
        status: 'succeeded',
      })
      const micros = input * 2 + cacheRead * 0.3 + cacheWrite * 5 + output * 11
      // Tenths of a micro-credit are the smallest there are here; ten digits hide what floating point adds.
      expect(credits).toBe(Math.ceil(Number(micros.toFixed(3))) / 1_000_000)
      await expectBooks()
    },
    expectFree: async () => {
      await eventually(async () => {
        expect(await lastRecord()).toMatchObject({ status: 'failed', credits: 0, usage_source: null })
      })
      await expectBooks()
    },
    close: async () => {
      await gateway.close()
      await upstream.close()
    },
  }
}

/** What a call was refused with. */
export async function apiErrorOf(call: PromiseLike<unknown>): Promise<APIError> {
  const error = await Promise.resolve(call).then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof APIError)) throw new Error(`Expected an APIError, got ${error}`)
  return error
}

type Delta = OpenAI.ChatCompletionChunk.Choice.Delta & {
  reasoning_content?: string
  reasoning_details?: Record<string, unknown>[]
  annotations?: object[]
}

/** Everything that a stream said, put together as a careful client does. */
export async function collectStream(stream: AsyncIterable<OpenAI.ChatCompletionChunk>) {
  const whole = {
    text: '',
    reasoning: '',
    reasoningDetails: [] as Record<string, unknown>[],
    toolCalls: [] as { id: string; name: string; arguments: string; extra?: unknown }[],
    annotations: [] as object[],
    finishReasons: [] as string[],
    usage: null as OpenAI.CompletionUsage | null,
    models: new Set<string>(),
  }
  for await (const chunk of stream) {
    whole.models.add(chunk.model)
    whole.usage = chunk.usage ?? whole.usage
    for (const choice of chunk.choices) {
      const delta: Delta = choice.delta
      whole.text += delta.content ?? ''
      whole.reasoning += delta.reasoning_content ?? ''
      whole.reasoningDetails.push(...(delta.reasoning_details ?? []))
      whole.annotations.push(...(delta.annotations ?? []))
      for (const call of delta.tool_calls ?? []) {
        whole.toolCalls[call.index] ??= { id: '', name: '', arguments: '' }
        const known = whole.toolCalls[call.index]
        if (!known) continue
        known.id += call.id ?? ''
        known.name += call.function?.name ?? ''
        known.arguments += call.function?.arguments ?? ''
        if ('extra_content' in call) known.extra = call.extra_content
      }
      if (choice.finish_reason) whole.finishReasons.push(choice.finish_reason)
    }
  }
  return whole
}
