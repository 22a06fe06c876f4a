/** OpenAI-compatible upstreams that differ in data alone: addresses, credentials, and what they are asked. */
import { afterAll, describe, expect, test } from 'vitest'
import { startTranslatedStage, type TranslatedStage } from '#test/support/translated-stage.ts'
import { answerWell, beginSse, chatChunk, sendJson, startUpstream } from '#test/support/upstream.ts'
import { ask, HELLO, sentTo } from './chat-calls.ts'

const open: TranslatedStage[] = []
afterAll(async () => {
  await Promise.all(open.map(stage => stage.close()))
})

async function start(options: Parameters<typeof startTranslatedStage>[0]): Promise<TranslatedStage> {
  const stage = await startTranslatedStage({ ...options, endpoints: ['chat', 'embeddings'] })
  stage.upstream.respond(answerWell)
  open.push(stage)
  return stage
}

describe('Azure', () => {
  test('new addresses name the deployment in the body, and take a key in a header of their own', async () => {
    const stage = await start({
      kind: 'azure',
      credential: 'azure-resource-key',
      upstreamModel: 'my-deployment',
      basePath: '/openai/v1',
    })
    expect(await ask(stage)).toMatchObject({ choices: [{ message: { content: 'Hello there!' } }] })
    expect(sentTo(stage)).toMatchObject({
      path: '/openai/v1/chat/completions',
      headers: { 'api-key': 'azure-resource-key' },
      body: { model: 'my-deployment' },
    })
    expect(sentTo(stage).headers.authorization).toBeUndefined()
  })

  test('older addresses name it in the path, with the version of the API', async () => {
    const stage = await start({
      kind: 'azure',
      credential: 'azure-resource-key',
      upstreamModel: 'my-deployment',
      basePath: '/openai?api-version=2024-10-21',
    })
    await ask(stage)
    expect(sentTo(stage).path).toBe(
      '/openai/deployments/my-deployment/chat/completions?api-version=2024-10-21',
    )
    stage.upstream.respond((request, response) => answerWell({ ...request, path: '/embeddings' }, response))
    await stage.client.embeddings.create({ model: HELLO.model, input: 'Hi' })
    expect(sentTo(stage).path).toBe('/openai/deployments/my-deployment/embeddings?api-version=2024-10-21')
  })

  test('an application calls by a token, which is asked for once', async () => {
    const authority = await startUpstream((_request, response) =>
      sendJson(response, { access_token: 'an-entra-token', expires_in: 3600 }),
    )
    const stage = await start({
      kind: 'azure',
      credential: JSON.stringify({
        tenant_id: 'a-tenant',
        client_id: 'a-client',
        client_secret: 'a-very-secret-client-secret',
        authority: new URL(authority.baseUrl).origin,
      }),
      upstreamModel: 'my-deployment',
      basePath: '/openai/v1',
    })
    await Promise.all([ask(stage), ask(stage)])
    await ask(stage)
    expect(authority.requests).toHaveLength(1)
    expect(sentTo(stage).headers).toMatchObject({ authorization: 'Bearer an-entra-token' })
    expect(sentTo(stage).headers['api-key']).toBeUndefined()
    await authority.close()
  })

  test('a first event that only tells of filters is no usage, and no content', async () => {
    const stage = await start({
      kind: 'azure',
      credential: 'azure-resource-key',
      upstreamModel: 'my-deployment',
      basePath: '/openai/v1',
    })
    stage.upstream.respond((_request, response) => {
      const filters = [{ prompt_index: 0, content_filter_results: { hate: { filtered: false } } }]
      beginSse(response, [
        { id: '', object: '', created: 0, model: '', choices: [], prompt_filter_results: filters },
        chatChunk({ content: 'Hello' }),
        chatChunk({}, 'stop'),
        {
          ...chatChunk({}),
          choices: [],
          usage: { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 },
        },
        '[DONE]',
      ])
      response.end()
    })
    const stream = await stage.client.chat.completions.create({ ...HELLO, stream: true })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe('Hello')
    await stage.expectCharged(20, 0, 0, 7)
  })
})

describe('usage of streams', () => {
  test.each([
    ['openai', true],
    ['groq', true],
    ['deepseek', true],
    // It reports unasked, and refuses what it does not know.
    ['mistral', false],
  ])('of %s is asked for: %s', async (kind, isAsked) => {
    const stage = await start({ kind, credential: 'a-key', upstreamModel: 'm' })
    for await (const _ of await stage.client.chat.completions.create({ ...HELLO, stream: true }));
    expect('stream_options' in sentTo(stage).body).toBe(isAsked)
    expect((await stage.lastRecord()).usage_source).toBe('upstream')
  })
})

test('an endpoint that the upstream does not serve is refused by the model’s name, and nothing is sent', async () => {
  const stage = await start({ kind: 'deepseek', credential: 'a-key', upstreamModel: 'm' })
  const call = stage.client.embeddings.create({ model: HELLO.model, input: 'Hi' })
  await expect(call).rejects.toMatchObject({ status: 400, code: 'model_not_supported' })
  expect(stage.upstream.requests).toEqual([])
})

test('errors of Mistral’s shapes are told in its words', async () => {
  const stage = await start({ kind: 'mistral', credential: 'a-key', upstreamModel: 'm' })
  for (const body of [
    { object: 'error', message: 'Extra inputs are not permitted', type: 'invalid_request', code: 3051 },
    { detail: [{ type: 'extra_forbidden', loc: ['body', 'x'], msg: 'Extra inputs are not permitted' }] },
  ]) {
    stage.upstream.respond((_request, response) => sendJson(response, body, 422))
    await expect(ask(stage)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('Extra inputs are not permitted'),
    })
  }
})
