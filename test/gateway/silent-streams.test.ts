/** A stream on which nothing comes for long is kept open by what its dialect has for that, and by nothing else. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeModel } from '#test/support/admin-client.ts'
import { WIRE_DIALECTS } from '#test/support/dialects.ts'
import { type Stage, startStage } from '#test/support/stage.ts'
import { startUpstream, type Upstream } from '#test/support/upstream.ts'

const SILENCE_MS = 60
const KEEP_ALIVE = {
  chat: ': keep-alive\n\n',
  responses: ': keep-alive\n\n',
  messages: 'event: ping\ndata: {"type":"ping"}\n\n',
} as const

let stage: Stage
let upstream: Upstream
beforeAll(async () => {
  stage = await startStage({ maxSilenceMs: SILENCE_MS })
  upstream = await startUpstream()
  for (const { name, kind } of WIRE_DIALECTS) {
    await makeModel(stage.gateway.admin, name, { routes: [{ baseUrl: upstream.baseUrl, kind }] })
  }
  await makeModel(stage.gateway.admin, 'voice', {
    routes: [{ baseUrl: upstream.baseUrl }],
    endpoints: ['speech'],
    unitWeights: { character: 1 },
  })
})
afterAll(async () => {
  await stage.close()
  await upstream.close()
})

/** Reads on until the text is as it should be. */
async function readUntil(
  reader: ReadableStreamDefaultReader<string>,
  text: string,
  isEnough: (text: string) => boolean,
): Promise<string> {
  let all = text
  while (!isEnough(all)) {
    const { done, value } = await reader.read()
    if (done) return all
    all += value
  }
  return all
}

test.each(WIRE_DIALECTS)('$name: again and again while it is silent, between events alone', async wire => {
  const goOn = Promise.withResolvers<void>()
  upstream.respond(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(wire.events.slice(0, wire.contentAt).join(''))
    await goOn.promise
    response.end(wire.events.slice(wire.contentAt).join(''))
  })
  const said = KEEP_ALIVE[wire.name]
  const response = await stage.open(wire.path, wire.body(wire.name, true))
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader() ?? expect.fail('a body')
  const silent = await readUntil(reader, '', text => text.split(said).length > 3)
  goOn.resolve()
  const text = await readUntil(reader, silent, () => false)
  expect(wire.textOf(text)).toBe('Hello there!')
  expect(wire.isWhole(text)).toBe(true)
  const publicText = wire.events.join('').replaceAll('"upstream-model"', `"${wire.name}"`)
  // An upstream may have said the same by itself.
  expect(text.replaceAll(said, '')).toBe(publicText.replaceAll(said, ''))
  const { status, credits } = await stage.recordOf(response.headers.get('x-request-id') ?? '')
  expect({ status, isFree: credits === 0 }).toEqual({ status: 'succeeded', isFree: false })
})

test('nothing is said on audio, which has no place for it', async () => {
  const goOn = Promise.withResolvers<void>()
  upstream.respond(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' })
    response.write('first ')
    response.write('second ')
    await goOn.promise
    response.end('third')
  })
  setTimeout(goOn.resolve, 4 * SILENCE_MS)
  const response = await stage.open('/v1/audio/speech', { model: 'voice', input: 'Hi', voice: 'a' })
  expect(await response.text()).toBe('first second third')
})
