/** Wherever an upstream puts its usage, a call costs what its tokens come to, streamed or not. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WEIGHTS } from '#test/support/admin-client.ts'
import {
  CHAT,
  CHAT_PATH,
  EMBEDDINGS,
  readStream,
  STREAM,
  type Stage,
  startStage,
} from '#test/support/stage.ts'
import { beginSse, chatChunk, chatReply, sendJson, type Usage, usageChunk } from '#test/support/upstream.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())

const USAGE = {
  prompt_tokens: 1_000,
  completion_tokens: 50,
  total_tokens: 1_050,
  prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 100 },
  completion_tokens_details: { reasoning_tokens: 20 },
}
const BUCKETS = { input: 300, cache_read: 600, cache_write: 100, output: 50 }
/** 300 · 2 + 600 · 0.5 + 100 · 3 + 50 · 10 credits for a million tokens each. */
const CREDITS = 0.0017
const EARLIER = { prompt_tokens: 1_000, completion_tokens: 1, total_tokens: 1_001 }

const role = chatChunk({ role: 'assistant', content: '' })
const content = chatChunk({ content: 'Hello' })
const finish = chatChunk({}, 'stop')

const STREAMS: readonly [name: string, chunks: object[]][] = [
  ['in a chunk of its own after the finish reason', [role, content, finish, usageChunk(USAGE)]],
  ['in the chunk with the finish reason', [role, content, { ...finish, usage: USAGE }]],
  ['in a chunk before the finish reason', [role, content, usageChunk(USAGE), finish]],
  ['in a content chunk, unasked', [role, { ...content, usage: USAGE }, finish]],
  [
    'growing on every chunk: the last one counts',
    [
      { ...role, usage: EARLIER },
      { ...content, usage: EARLIER },
      { ...finish, usage: USAGE },
    ],
  ],
  [
    'null on every chunk but the last',
    [{ ...role, usage: null }, { ...content, usage: null }, { ...finish, usage: null }, usageChunk(USAGE)],
  ],
  [
    'followed by a chunk without any',
    [role, content, { ...finish, usage: USAGE }, { ...usageChunk(), usage: null }],
  ],
  ['in x_groq', [role, content, { ...finish, x_groq: { id: 'req_1', usage: USAGE } }]],
  [
    'after a first event without choices, as Azure sends',
    [
      {
        choices: [],
        created: 0,
        id: '',
        model: '',
        object: '',
        prompt_filter_results: [{ prompt_index: 0 }],
      },
      role,
      content,
      finish,
      usageChunk(USAGE),
    ],
  ],
]

describe.each(STREAMS)('usage %s', (_name, chunks) => {
  test.each([
    ['is charged and not shown to a client that did not ask', STREAM],
    ['is charged when the client asked for it', { ...STREAM, stream_options: { include_usage: true } }],
  ])('%s', async (_asked, body) => {
    stage.upstream.respond((_request, response) => {
      beginSse(response, [...chunks, '[DONE]'])
      response.end()
    })
    const answer = await stage.call(CHAT_PATH, body)
    expect(readStream(answer.text)).toMatchObject({ text: 'Hello', finishReasons: ['stop'], isDone: true })
    if (body === STREAM) {
      const shown = readStream(answer.text).chunks.filter(chunk => 'usage' in chunk && chunk.usage !== null)
      expect(shown).toEqual([])
    }
    expect(await stage.recordOf(answer.requestId)).toMatchObject({
      usage: BUCKETS,
      credits: CREDITS,
      usage_source: 'upstream',
    })
  })
})

async function recordFor(usage: Usage, body: typeof CHAT & { stream?: boolean }) {
  stage.upstream.respond((_request, response) => {
    if (body.stream !== true) return sendJson(response, chatReply('Hello', { usage }))
    beginSse(response, [role, content, finish, usageChunk(usage), '[DONE]'])
    return response.end()
  })
  const { status, requestId } = await stage.call(CHAT_PATH, body)
  expect(status).toBe(200)
  return stage.recordOf(requestId)
}

const REPORTS: readonly [name: string, usage: Usage, buckets: object][] = [
  ['OpenAI', USAGE, BUCKETS],
  [
    'bare counts',
    { prompt_tokens: 10, completion_tokens: 5 },
    { input: 10, cache_read: 0, cache_write: 0, output: 5 },
  ],
  [
    'null details',
    {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_tokens_details: null,
      completion_tokens_details: null,
    },
    { input: 10, cache_read: 0, cache_write: 0, output: 5 },
  ],
  [
    'DeepSeek',
    {
      prompt_tokens: 100,
      completion_tokens: 5,
      total_tokens: 105,
      prompt_cache_hit_tokens: 80,
      prompt_cache_miss_tokens: 20,
    },
    { input: 20, cache_read: 80, cache_write: 0, output: 5 },
  ],
  [
    'Mistral',
    { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105, num_cached_tokens: 64 },
    { input: 36, cache_read: 64, cache_write: 0, output: 5 },
  ],
  [
    'xAI, reasoning apart',
    {
      prompt_tokens: 10_120,
      completion_tokens: 1_499,
      total_tokens: 14_428,
      completion_tokens_details: { reasoning_tokens: 2_809 },
    },
    { input: 10_120, cache_read: 0, cache_write: 0, output: 4_308 },
  ],
  [
    'Gemini, thoughts in the total alone',
    { prompt_tokens: 758, completion_tokens: 102, total_tokens: 1_725 },
    { input: 758, cache_read: 0, cache_write: 0, output: 967 },
  ],
  [
    'vLLM, no completion count',
    { prompt_tokens: 10, completion_tokens: null, total_tokens: 10 },
    { input: 10, cache_read: 0, cache_write: 0, output: 0 },
  ],
]

test.each(REPORTS)(
  'a report as %s sends it comes to the same buckets and the same charge, streamed or not',
  async (_name, usage, buckets) => {
    const [plain, streamed] = [await recordFor(usage, CHAT), await recordFor(usage, STREAM)]
    expect(plain).toMatchObject({ usage: buckets, usage_source: 'upstream' })
    expect(streamed.usage).toEqual(plain.usage)
    expect(streamed.credits).toBe(plain.credits)
  },
)

test.each([
  ['nothing', {}],
  ['zeros', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
  ['nulls', { prompt_tokens: null, completion_tokens: null, total_tokens: null }],
  ['negative counts', { prompt_tokens: -10, completion_tokens: -5 }],
])('a report of %s is no report: the call is metered by an estimate', async (_name, usage) => {
  for (const body of [CHAT, STREAM]) {
    const record = await recordFor(usage, body)
    expect(record).toMatchObject({ usage_source: 'estimate', status: 'succeeded' })
    expect(record.credits).toBeGreaterThan(0)
  }
})

test('embeddings are charged as input alone', async () => {
  stage.upstream.respond((_request, response) =>
    sendJson(response, {
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [1] }],
      model: 'upstream-model',
      usage: { prompt_tokens: 8, total_tokens: 8 },
    }),
  )
  const { requestId } = await stage.call('/v1/embeddings', EMBEDDINGS)
  expect(await stage.recordOf(requestId)).toMatchObject({
    endpoint: 'embeddings',
    usage: { input: 8, cache_read: 0, cache_write: 0, output: 0 },
    credits: 0.000016,
  })
})

/** A weight of this model in hundredths, so that the sum below is one of whole numbers. */
const hundredths = (weight: number) => BigInt(Math.round(weight * 100))

test('for any usage the credits are the sum over usage and weights of the record, rounded up once', async () => {
  const tokens = fc.oneof(fc.nat(100), fc.nat(10_000_000))
  await fc.assert(
    fc.asyncProperty(
      tokens,
      tokens,
      tokens,
      tokens,
      fc.boolean(),
      async (input, cached, written, output, stream) => {
        fc.pre(input + cached + written + output > 0)
        const record = await recordFor(
          {
            prompt_tokens: input + cached + written,
            completion_tokens: output,
            total_tokens: input + cached + written + output,
            prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
          },
          stream ? STREAM : CHAT,
        )
        expect(record.usage).toEqual({ input, cache_read: cached, cache_write: written, output })
        expect(record.weights).toEqual(WEIGHTS)
        const sum =
          BigInt(input) * hundredths(WEIGHTS.input) +
          BigInt(cached) * hundredths(WEIGHTS.cache_read) +
          BigInt(written) * hundredths(WEIGHTS.cache_write) +
          BigInt(output) * hundredths(WEIGHTS.output)
        expect(record.credits).toBe(Number((sum + 99n) / 100n) / 1e6)
      },
    ),
    { numRuns: 60 },
  )
})
