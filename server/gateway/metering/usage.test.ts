import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readUsage } from './usage.ts'

type Row = readonly [dialect: string, usage: object, buckets: readonly [number, number, number, number]]

/** One row a dialect: prompt-side and completion-side counts as each server reports them. */
const DIALECTS: readonly Row[] = [
  ['OpenAI, plain', { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }, [100, 0, 0, 20]],
  [
    'OpenAI, cached and written tokens inside the prompt',
    {
      prompt_tokens: 2600,
      completion_tokens: 50,
      total_tokens: 2650,
      prompt_tokens_details: { cached_tokens: 2000, cache_write_tokens: 400 },
      completion_tokens_details: { reasoning_tokens: 30 },
    },
    [200, 2000, 400, 50],
  ],
  [
    'Azure OpenAI, as OpenAI with audio details',
    {
      prompt_tokens: 90,
      completion_tokens: 10,
      total_tokens: 100,
      prompt_tokens_details: { cached_tokens: 64, audio_tokens: 0 },
    },
    [26, 64, 0, 10],
  ],
  [
    'Gemini behind its compatible endpoint hides thoughts in the total',
    { prompt_tokens: 758, completion_tokens: 102, total_tokens: 1725 },
    [758, 0, 0, 967],
  ],
  [
    'DeepSeek reports hits and misses',
    {
      prompt_tokens: 500,
      completion_tokens: 60,
      total_tokens: 560,
      prompt_cache_hit_tokens: 384,
      prompt_cache_miss_tokens: 116,
    },
    [116, 384, 0, 60],
  ],
  [
    'OpenRouter adds cost and cached writes',
    {
      prompt_tokens: 1000,
      completion_tokens: 40,
      total_tokens: 1040,
      cost: 0.0021,
      prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 100 },
    },
    [300, 600, 100, 40],
  ],
  [
    'Mistral names cached tokens at the top',
    { prompt_tokens: 200, completion_tokens: 30, total_tokens: 230, num_cached_tokens: 128 },
    [72, 128, 0, 30],
  ],
  [
    'Mistral, the singular spelling of the details',
    {
      prompt_tokens: 200,
      completion_tokens: 30,
      total_tokens: 230,
      prompt_token_details: { cached_tokens: 64 },
    },
    [136, 64, 0, 30],
  ],
  [
    'Groq adds its timings',
    {
      prompt_tokens: 80,
      completion_tokens: 25,
      total_tokens: 105,
      queue_time: 0.01,
      prompt_tokens_details: { cached_tokens: 32 },
    },
    [48, 32, 0, 25],
  ],
  [
    'xAI counts reasoning beside the completion',
    {
      prompt_tokens: 10120,
      completion_tokens: 1499,
      total_tokens: 14428,
      completion_tokens_details: { reasoning_tokens: 2809 },
    },
    [10120, 0, 0, 4308],
  ],
  [
    'vLLM without details, and with a completion that is null',
    { prompt_tokens: 33, completion_tokens: null, total_tokens: 33, prompt_tokens_details: null },
    [33, 0, 0, 0],
  ],
  ['Ollama, three integers', { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 }, [12, 0, 0, 7]],
]

describe('usage of each dialect falls into disjoint buckets', () => {
  test.each(DIALECTS)('%s', (_dialect, usage, [input, cache_read, cache_write, output]) => {
    expect(readUsage(usage, 'chat')).toEqual({
      buckets: { input, cache_read, cache_write, output },
      anomaly: null,
    })
  })

  test('embeddings have input alone, from the prompt or from the total', () => {
    const buckets = { input: 9, cache_read: 0, cache_write: 0, output: 0 }
    expect(readUsage({ prompt_tokens: 9, total_tokens: 9 }, 'embeddings')?.buckets).toEqual(buckets)
    expect(readUsage({ total_tokens: 9 }, 'embeddings')?.buckets).toEqual(buckets)
  })
})

describe('usage that contradicts itself is kept beside the charge', () => {
  test('more cached than prompt tokens are added, not subtracted (seen at xAI)', () => {
    const usage = {
      prompt_tokens: 50,
      completion_tokens: 5,
      total_tokens: 55,
      prompt_tokens_details: { cached_tokens: 900 },
    }
    expect(readUsage(usage, 'chat')).toEqual({
      buckets: { input: 50, cache_read: 900, cache_write: 0, output: 5 },
      anomaly: JSON.stringify(usage),
    })
  })

  test('parts that exceed the prompt leave no plain input, never a negative one', () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 80, cache_write_tokens: 40 },
    }
    expect(readUsage(usage, 'chat')).toEqual({
      buckets: { input: 0, cache_read: 80, cache_write: 40, output: 5 },
      anomaly: JSON.stringify(usage),
    })
  })
})

describe('nothing reported is not zero reported', () => {
  test.each([
    [undefined],
    [null],
    [{}],
    ['many'],
    [{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
    [{ prompt_tokens: -5, completion_tokens: 1.5 }],
  ])('%j is metered by an estimate', usage => {
    expect(readUsage(usage, 'chat')).toBeNull()
  })
})

test('no report whatever makes a bucket negative or fractional', () => {
  const counter = fc.oneof(fc.integer(), fc.double(), fc.constant(null), fc.constant(undefined), fc.string())
  const report = fc.record({
    prompt_tokens: counter,
    completion_tokens: counter,
    total_tokens: counter,
    prompt_tokens_details: fc.record({ cached_tokens: counter, cache_write_tokens: counter }),
    completion_tokens_details: fc.record({ reasoning_tokens: counter }),
    prompt_cache_hit_tokens: counter,
    num_cached_tokens: counter,
  })
  fc.assert(
    fc.property(report, usage => {
      for (const count of Object.values(readUsage(usage, 'chat')?.buckets ?? {})) {
        expect(Number.isInteger(count) && count >= 0).toBe(true)
      }
    }),
  )
})

test('a count that no request can have is none, so that its charge never exceeds what a balance can hold', () => {
  expect(readUsage({ prompt_tokens: 1e15, completion_tokens: 5 }, 'chat')).toBeNull()
  expect(readUsage({ prompt_tokens: 5, completion_tokens: 1e15, total_tokens: 1e15 }, 'chat')).toBeNull()
})

test.each([{ prompt_tokens: 5 }, { prompt_tokens: 5, completion_tokens: null }, { total_tokens: 25 }])(
  'a report that leaves the output of a chat open is none, so that output is never free: %j',
  usage => {
    expect(readUsage(usage, 'chat')).toBeNull()
    expect(readUsage(usage, 'embeddings')).not.toBeNull()
  },
)

test('nor is one that leaves the input open', () => {
  expect(readUsage({ completion_tokens: 5 }, 'chat')).toBeNull()
})
