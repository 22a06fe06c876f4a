/** Where nothing is ever streamed, `stream` is a field that we do not know: it passes, and the answer is what it is. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeModel } from '#test/support/admin-client.ts'
import { type Stage, startStage } from '#test/support/stage.ts'
import { sendJson } from '#test/support/upstream.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
  await makeModel(stage.gateway.admin, 'whole', {
    routes: [{ baseUrl: stage.upstream.baseUrl }],
    endpoints: ['embeddings', 'moderations', 'rerank', 'speech'],
    unitWeights: { search: 1, character: 1 },
  })
})
afterAll(() => stage.close())

test.each([
  ['embeddings', { input: 'a' }, { data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 1 } }],
  ['moderations', { input: 'a' }, { results: [{ flagged: false }] }],
  ['rerank', { query: 'a', documents: ['b'] }, { results: [{ index: 0, relevance_score: 1 }] }],
])('%s', async (endpoint, body, answer) => {
  stage.upstream.respond((_request, response) => sendJson(response, answer))
  const answered = await stage.call(`/v1/${endpoint}`, { model: 'whole', ...body, stream: true })
  expect(answered).toMatchObject({ status: 200, text: JSON.stringify(answer) })
  expect(stage.upstream.requests.at(-1)?.body).toMatchObject({ stream: true })
  expect(await stage.recordOf(answered.requestId)).toMatchObject({ status: 'succeeded', stream: false })
})

test('speech is audio all the same', async () => {
  stage.upstream.respond((_request, response) =>
    response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('sound'),
  )
  const body = { model: 'whole', input: 'a', voice: 'alloy', stream: true }
  const answered = await stage.call('/v1/audio/speech', body)
  expect(answered).toMatchObject({ status: 200, text: 'sound' })
  expect(answered.headers.get('content-type')).toBe('audio/mpeg')
})
