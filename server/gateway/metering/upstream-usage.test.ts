import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCohereUsage } from './cohere-usage.ts'
import { readConverseUsage } from './converse-usage.ts'
import { readGenerateContentUsage } from './generate-content-usage.ts'
import { readMessagesUsage } from './messages-usage.ts'

type Buckets = readonly [input: number, cacheRead: number, cacheWrite: number, output: number]

const toBuckets = ([input, cache_read, cache_write, output]: Buckets) => ({
  input,
  cache_read,
  cache_write,
  output,
})

describe('Gemini and Vertex', () => {
  const ROWS: readonly (readonly [string, object, Buckets])[] = [
    ['plain', { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }, [10, 0, 0, 5]],
    [
      'thoughts beside the candidates, and tools beside the prompt',
      {
        promptTokenCount: 100,
        toolUsePromptTokenCount: 30,
        candidatesTokenCount: 20,
        thoughtsTokenCount: 400,
        totalTokenCount: 550,
      },
      [130, 0, 0, 420],
    ],
    [
      'cached content inside the prompt',
      {
        promptTokenCount: 5000,
        cachedContentTokenCount: 4096,
        candidatesTokenCount: 7,
        totalTokenCount: 5007,
      },
      [904, 4096, 0, 7],
    ],
    ['thoughts alone', { promptTokenCount: 10, thoughtsTokenCount: 64 }, [10, 0, 0, 64]],
  ]
  test.each(ROWS)('%s', (_name, usage, buckets) => {
    expect(readGenerateContentUsage(usage)).toEqual({ buckets: toBuckets(buckets), anomaly: null })
  })

  test('more cached than there was is kept beside the charge', () => {
    const usage = { promptTokenCount: 5, cachedContentTokenCount: 9, candidatesTokenCount: 1 }
    expect(readGenerateContentUsage(usage)).toEqual({
      buckets: toBuckets([0, 9, 0, 1]),
      anomaly: JSON.stringify(usage),
    })
  })
})

describe('Bedrock', () => {
  const usage = {
    inputTokens: 4995,
    outputTokens: 14,
    totalTokens: 10007,
    cacheReadInputTokens: 0,
    cacheWriteInputTokens: 4993,
  }
  test.each([
    'anthropic.claude-sonnet-4-5-20250929-v1:0',
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'amazon.nova-pro-v1:0',
    'openai.gpt-5.6',
    'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc',
  ])('%s counts caches beside its input', model => {
    expect(readConverseUsage(usage, model)?.buckets).toEqual(toBuckets([4995, 0, 4993, 14]))
  })

  test.each(['xai.grok-4.6', 'us.xai.grok-4.6'])('%s counts caches within its input', model => {
    expect(readConverseUsage(usage, model)?.buckets).toEqual(toBuckets([2, 0, 4993, 14]))
  })
})

test('Bedrock tells what was written to live for an hour', () => {
  const usage = {
    inputTokens: 20,
    outputTokens: 7,
    cacheWriteInputTokens: 300,
    cacheDetails: [
      { ttl: '5m', inputTokens: 100 },
      { ttl: '1h', inputTokens: 200 },
    ],
  }
  expect(readConverseUsage(usage, 'anthropic.claude')?.buckets).toEqual({
    ...toBuckets([20, 0, 300, 7]),
    cache_write_1h: 200,
  })
})

test('Bedrock: a report that leaves the input or the output open is none', () => {
  expect(readConverseUsage({ inputTokens: 20 }, 'anthropic.claude')).toBeNull()
  expect(readConverseUsage({ outputTokens: 7 }, 'anthropic.claude')).toBeNull()
})

describe('Anthropic', () => {
  const usage = { input_tokens: 20, output_tokens: 7, cache_creation_input_tokens: 300 }

  test('tells what was written to live for an hour', () => {
    const creation = { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 }
    expect(readMessagesUsage({ ...usage, cache_creation: creation })?.buckets).toEqual({
      ...toBuckets([20, 0, 300, 7]),
      cache_write_1h: 200,
    })
    const split = { input_tokens: 20, output_tokens: 7, cache_creation: creation }
    expect(readMessagesUsage(split)?.buckets).toEqual({ ...toBuckets([20, 0, 300, 7]), cache_write_1h: 200 })
  })

  test('never has more of it than was written', () => {
    const creation = { ephemeral_1h_input_tokens: 900 }
    expect(readMessagesUsage({ ...usage, cache_creation: creation })?.buckets.cache_write_1h).toBe(300)
  })

  test('that leaves its input or output open, or counts what no request can have, has reported nothing', () => {
    const { input_tokens, output_tokens } = usage
    expect(readMessagesUsage({ input_tokens })).toBeNull()
    expect(readMessagesUsage({ output_tokens })).toBeNull()
    expect(readMessagesUsage({ input_tokens: 2_000_000_000, output_tokens })).toBeNull()
  })

  test('leaves rounds that shorten the conversation out of its totals', () => {
    const iterations = [
      { type: 'compaction', input_tokens: 1000, output_tokens: 90 },
      { type: 'message', input_tokens: 20, output_tokens: 7 },
      { type: 'advisor_message', input_tokens: 5000, output_tokens: 500 },
    ]
    expect(readMessagesUsage({ ...usage, iterations })?.buckets).toEqual(toBuckets([1020, 0, 300, 97]))
    const fallback = [...iterations, { type: 'fallback_message', input_tokens: 20, output_tokens: 7 }]
    expect(readMessagesUsage({ ...usage, iterations: fallback })?.buckets).toEqual(toBuckets([20, 0, 300, 7]))
  })
})

describe('Cohere', () => {
  test('charges by billed units', () => {
    const usage = {
      billed_units: { input_tokens: 40, output_tokens: 9 },
      tokens: { input_tokens: 240, output_tokens: 12 },
      cached_tokens: 16,
    }
    expect(readCohereUsage(usage)?.buckets).toEqual(toBuckets([40, 0, 0, 9]))
  })

  test('by tokens where there are no billed units', () => {
    expect(readCohereUsage({ tokens: { input_tokens: 24, output_tokens: 12 } })?.buckets).toEqual(
      toBuckets([24, 0, 0, 12]),
    )
  })
})

describe('whatever is reported', () => {
  const readers = {
    Gemini: readGenerateContentUsage,
    Bedrock: (usage: unknown) => readConverseUsage(usage, 'xai.grok-4.6'),
    Cohere: readCohereUsage,
    Anthropic: readMessagesUsage,
  }

  test.each(Object.entries(readers))('%s: nothing reported is not zero reported', (_name, read) => {
    for (const usage of [undefined, null, {}, 'many', 7, { inputTokens: -1 }]) expect(read(usage)).toBeNull()
  })

  test.each(Object.entries(readers))('%s: an output without an input is no report', (_name, read) => {
    const usage = { candidatesTokenCount: 7, outputTokens: 7, output_tokens: 7, tokens: { output_tokens: 7 } }
    expect(read(usage)).toBeNull()
  })

  test.each(Object.entries(readers))('%s: no bucket is negative or broken', (_name, read) => {
    const counter = fc.oneof(fc.integer(), fc.double(), fc.constant(null), fc.string())
    const names = [
      'promptTokenCount',
      'candidatesTokenCount',
      'thoughtsTokenCount',
      'cachedContentTokenCount',
      'toolUsePromptTokenCount',
      'inputTokens',
      'outputTokens',
      'cacheReadInputTokens',
      'cacheWriteInputTokens',
      'input_tokens',
      'output_tokens',
      'cache_read_input_tokens',
      'cache_creation_input_tokens',
    ]
    const report = fc.record(Object.fromEntries(names.map(name => [name, counter])))
    fc.assert(
      fc.property(report, usage => {
        for (const count of Object.values(read(usage)?.buckets ?? {})) {
          expect(Number.isInteger(count) && count >= 0).toBe(true)
        }
      }),
    )
  })
})
