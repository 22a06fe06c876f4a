/** Whatever its upstreams do, a request is charged once if it is answered and never else, over however many attempts. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeModel } from '#test/support/admin-client.ts'
import { expectBooksToAddUp, readBooks } from '#test/support/books.ts'
import { CHAT, CHAT_PATH, readStream, type Stage, startStage } from '#test/support/stage.ts'
import {
  answerWell,
  beginSse,
  chatChunk,
  event,
  failWith,
  startUpstream,
  type Upstream,
  type UpstreamHandler,
} from '#test/support/upstream.ts'

const UPSTREAMS = 3
const CHARGE = 70n

/** What an upstream may do with a request. */
const DEEDS: Readonly<Record<string, UpstreamHandler>> = {
  answers: answerWell,
  fails: failWith(500),
  throttles: failWith(429),
  'refuses our credential': failWith(401),
  'refuses the request': failWith(400),
  'breaks the connection': (_request, response) => response.socket?.destroy(),
  'sends garbage': (_request, response) => response.end('<html>'),
  'begins with an error event': (_request, response) => {
    beginSse(response)
    response.end(event({ error: { message: 'no' } }))
  },
  'breaks off half-way': (_request, response) => {
    beginSse(response, [chatChunk({ content: 'Hel' })])
    response.write(':\n\n', () => response.socket?.destroy())
  },
}

let stage: Stage
const upstreams: Upstream[] = []
beforeAll(async () => {
  stage = await startStage()
  for (let count = 0; count < UPSTREAMS; count++) upstreams.push(await startUpstream())
})
afterAll(async () => {
  await stage.close()
  for (const upstream of upstreams) await upstream.close()
})

const anyCase = fc.record({
  deeds: fc.array(fc.constantFrom(...Object.keys(DEEDS)), { minLength: UPSTREAMS, maxLength: UPSTREAMS }),
  stream: fc.boolean(),
  maxAttempts: fc.integer({ min: 1, max: UPSTREAMS + 1 }),
})

test('one charge for an answer, none for all else, and the record tells of every attempt', async () => {
  let made = 0
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ deeds, stream, maxAttempts }) => {
      const model = `any-${++made}`
      for (const [index, deed] of deeds.entries()) upstreams[index]?.respond(DEEDS[deed] ?? answerWell)
      const asked = upstreams.map(({ requests }) => requests.length)
      const routes = upstreams.map(({ baseUrl }) => ({ baseUrl }))
      await makeModel(stage.gateway.admin, model, { routes, routing: { max_attempts: maxAttempts } })
      const before = await stage.gateway.balanceOf(stage.caller.accountId)

      const answer = await stage.call(CHAT_PATH, { ...CHAT, model, stream })

      const isWhole = answer.status === 200 && (!stream || readStream(answer.text).isDone)
      const charged = before - (await stage.gateway.balanceOf(stage.caller.accountId))
      expect(charged).toBe(isWhole ? CHARGE : 0n)
      const record = await stage.recordOf(answer.requestId)
      expect(record.status).toBe(isWhole ? 'succeeded' : 'failed')
      const attempts = upstreams.reduce(
        (sum, { requests }, at) => sum + requests.length - (asked[at] ?? 0),
        0,
      )
      expect(attempts).toBeLessThanOrEqual(maxAttempts)
      // Nothing is told where the first route answered, whatever became of its stream then.
      if (record.attempts.length > 0) expect(record.attempts).toHaveLength(attempts)
      else expect(attempts).toBe(1)
    }),
    { numRuns: 40 },
  )
  expectBooksToAddUp(await readBooks(stage.gateway.app.storage, stage.caller.accountId))
})
