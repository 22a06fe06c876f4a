/** An OpenAI-compatible server that lacks some of what its kind serves, and whose operator says so. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WEIGHTS } from '#test/support/admin-client.ts'
import { expectError, type Stage, startStage } from '#test/support/stage.ts'
import { answerWell, sendJson, startUpstream, type Upstream } from '#test/support/upstream.ts'

let stage: Stage
let upstream: Upstream
beforeAll(async () => {
  stage = await startStage()
  upstream = await startUpstream((request, response) =>
    request.path.endsWith('/responses')
      ? sendJson(response, { detail: 'Not Found' }, 404)
      : answerWell(request, response),
  )
  for (const [model, endpoints] of [
    ['all', null],
    ['chat', ['chat']],
    ['embeddings', ['embeddings']],
  ] as const) {
    const provider = await stage.gateway.admin.call<{ id: string }>('POST', '/admin/providers', {
      name: model,
      kind: 'openai',
      base_url: upstream.baseUrl,
      endpoints,
    })
    const routes = [{ provider_id: provider.id, upstream_model: 'upstream-model' }]
    await stage.gateway.admin.call('POST', '/admin/models', { id: model, weights: WEIGHTS, routes })
  }
})
afterAll(async () => {
  await stage.close()
  await upstream.close()
})

const respond = (model: string, stream = false) => stage.call('/v1/responses', { model, input: 'Hi', stream })

test.each([false, true])('responses are translated to the chat that it serves (stream: %s)', async stream => {
  const answer = await respond('chat', stream)
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 })
  expect(answer.text).toContain('Hello')
  expect(upstream.requests.at(-1)?.path).toBe('/v1/chat/completions')
  expect(await stage.recordOf(answer.requestId)).toMatchObject({ endpoint: 'responses', credits: 0.00007 })
})

test('without a word about it the server is asked, and its answer is passed on', async () => {
  expect((await respond('all')).status).toBe(404)
  expect(upstream.requests.at(-1)?.path).toBe('/v1/responses')
})

test('what can be translated to nothing that it serves is refused without asking it', async () => {
  const before = upstream.requests.length
  const answer = await respond('embeddings')
  expectError(answer, 400, { type: 'invalid_request_error', code: 'model_not_supported' })
  expect(upstream.requests).toHaveLength(before)
})
