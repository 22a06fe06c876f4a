import { expect, test } from 'vitest'
import { createOffThread } from '#gateway/off-thread/off-thread.ts'
import type { AttemptOutcome, ProviderCall, StreamEnding } from '#gateway/providers/provider.ts'
import { passThrough } from './pass-through.ts'
import { UpstreamExchange } from './upstream-exchange.ts'

const IDLE_MS = 40

const CALL: ProviderCall = {
  requestId: 'req_1',
  request: {
    endpoint: 'chat',
    bytes: Buffer.from('{}'),
    model: 'public',
    stream: true,
    asksForUsage: true,
    choices: 1,
    modelSpan: { start: 0, end: 0 },
    usageEdit: null,
    passedHeaders: [],
    units: null,
    contentType: null,
  },
  route: {
    id: 'rte_1',
    routeId: 'rte_1',
    cost: null,
    upstreamModel: 'public',
    priority: 0,
    weight: 1,
    provider: {
      id: 'prv_1',
      name: 'A provider',
      kind: 'openai',
      baseUrl: 'http://127.0.0.1/v1',
      credential: null,
      credentialId: 'prv_1:1',
      credentialName: null,
      endpoints: null,
      headers: {},
      timeouts: { connect_ms: 1_000, first_byte_ms: 1_000, idle_ms: IDLE_MS },
    },
  },
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ model: 'public', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const HELLO = chunk({ content: 'Hello' })
const FINISH = chunk({}, 'stop')
const DONE = 'data: [DONE]\n\n'

/** An exchange with an upstream that the test plays itself. */
async function openStream(firstPiece: string) {
  const upstream = { paused: false, aborted: false }
  const control = {
    pause: () => {
      upstream.paused = true
    },
    resume: () => {
      upstream.paused = false
    },
    abort: () => {
      upstream.aborted = true
    },
  }
  const { promise, resolve } = Promise.withResolvers<AttemptOutcome>()
  const exchange = new UpstreamExchange({
    call: CALL,
    protocol: passThrough(CALL, createOffThread()),
    resolve,
  })
  exchange.begin(control)
  exchange.headers(200, { 'content-type': 'text/event-stream' })
  exchange.data(Buffer.from(firstPiece))
  const outcome = await promise
  if (outcome.kind !== 'stream') throw new Error(`The attempt came to a ${outcome.kind}`)
  const { stream } = outcome
  const ending = Promise.withResolvers<StreamEnding>()
  /** Starts it for a client whose connection is full after the first bytes. */
  const start = ({ clientReads }: { readonly clientReads: boolean }) =>
    stream.start({
      data: () => {
        if (!clientReads) stream.pause()
      },
      end: ending.resolve,
    })
  return { exchange, upstream, start, ending: ending.promise }
}

test('an upstream is paused from the first bytes on that the client does not read', async () => {
  const { upstream, start } = await openStream(HELLO)
  start({ clientReads: false })
  expect(upstream.paused).toBe(true)
})

test('an upstream flows on for a client that reads', async () => {
  const { upstream, start } = await openStream(HELLO)
  expect(upstream.paused).toBe(true)
  start({ clientReads: true })
  expect(upstream.paused).toBe(false)
})

test.each([
  ['in one piece', [HELLO + FINISH + DONE]],
  ['in two pieces', [HELLO, HELLO + FINISH + DONE]],
])(
  'an upstream that is done, %s, is never left paused: its connection would hang for good',
  async (_, pieces) => {
    const [first = '', second] = pieces
    const { exchange, upstream, start, ending } = await openStream(first)
    start({ clientReads: false })
    if (second !== undefined) exchange.data(Buffer.from(second))
    expect((await ending).kind).toBe('complete')
    expect(upstream.paused && !upstream.aborted).toBe(false)
  },
)

test('a stream that is complete with its first piece does not wait for an upstream that never closes', async () => {
  const { upstream, start, ending } = await openStream(HELLO + FINISH)
  start({ clientReads: true })
  const timer = Promise.withResolvers<{ kind: 'still waiting' }>()
  setTimeout(() => timer.resolve({ kind: 'still waiting' }), IDLE_MS * 10)
  expect((await Promise.race([ending, timer.promise])).kind).toBe('complete')
  expect(upstream.aborted).toBe(true)
})
