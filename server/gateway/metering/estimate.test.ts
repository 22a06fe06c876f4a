import { describe, expect, test } from 'vitest'
import { estimateTokens } from './estimate.ts'

function estimate(content: unknown, output = '') {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] })
  return estimateTokens('chat', Buffer.from(body), output)
}

describe('the cost of an estimate grows with the text, whatever the text is', () => {
  test.each([
    ['one letter', 'x'],
    ['spaces', ' '],
    ['line ends', '\n'],
    ['punctuation', '=-'],
    ['pictographs', '😀'],
    ['rare ideographs', '鱻龘靐齉'],
    ['a word', 'word '],
  ])('%s, a million times', (_name, piece) => {
    const startedMs = performance.now()
    const { output } = estimate('', piece.repeat(1_000_000 / piece.length))
    expect(output).toBeGreaterThan(1_000)
    // Without a limit on runs these take minutes; with it, about a second on a slow machine.
    expect(performance.now() - startedMs).toBeLessThan(10_000)
  })
})

test('the encoder’s own marks are text like any other', () => {
  expect(estimate('<|endoftext|>', '<|endofprompt|><|im_start|>').output).toBeGreaterThan(3)
  expect(estimate('<|endoftext|>').input).toBeGreaterThan(estimate('').input)
})

test.each(['a message', 'the tools'])(
  'a caller that nests %s without end is estimated all the same',
  where => {
    const depth = 200_000
    const nested = `${'['.repeat(depth)}"hello"${']'.repeat(depth)}`
    const message = `{"role":"user","content":"hi"${where === 'a message' ? `,"odd":${nested}` : ''}}`
    const body = `{"model":"m","messages":[${message}]${where === 'the tools' ? `,"tools":${nested}` : ''}}`
    expect(estimateTokens('chat', Buffer.from(body), '').input).toBeGreaterThan(0)
  },
)

test('tools and the wanted shape of the answer count as input', () => {
  const plain = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
  const input = (body: object) => estimateTokens('chat', Buffer.from(JSON.stringify(body)), '').input
  const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }]
  expect(input({ ...plain, tools })).toBeGreaterThan(input(plain) + 10)
  expect(input({ ...plain, response_format: { type: 'json_object' } })).toBeGreaterThan(input(plain) + 3)
})

test('cutting long texts does not change their count', () => {
  const sentence = 'The quick brown fox jumps over the lazy dog. '
  const once = estimate('', sentence.repeat(10)).output
  expect(Math.abs(estimate('', sentence.repeat(1_000)).output - once * 100)).toBeLessThan(once)
})
