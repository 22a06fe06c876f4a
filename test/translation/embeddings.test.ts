/** OpenAI embeddings in, each upstream's own protocol out. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  apiErrorOf,
  PUBLIC_MODEL,
  startTranslatedStage,
  type TranslatedStage,
  type TranslatedStageOptions,
} from '#test/support/translated-stage.ts'
import { sendJson, type UpstreamRequest } from '#test/support/upstream.ts'
import { sentTo } from './chat-calls.ts'

/** As long as its texts have letters, so that an answer shows which text it belongs to. */
const vectorOf = (text: string) => [text.length, 0.25, -1]

type Wire = {
  readonly stage: Omit<TranslatedStageOptions, 'endpoints'>
  readonly path: string
  readonly most: number
  /** Answers as documented; three tokens a text where the protocol reports any. */
  answer(request: UpstreamRequest, response: ServerResponse): void
  textsOf(body: Record<string, unknown>): string[]
  readonly reports: boolean
  /** What 256 dimensions and a question become. */
  readonly settings: object
}

const WIRES: Readonly<Record<string, Wire>> = {
  // https://ai.google.dev/api/embeddings (2026-11)
  gemini: {
    stage: {
      kind: 'gemini',
      credential: 'AIza-gemini-secret-key',
      upstreamModel: 'gemini-embedding-001',
      basePath: '/v1beta',
    },
    path: '/v1beta/models/gemini-embedding-001:batchEmbedContents',
    most: 100,
    answer: ({ body }, response) => {
      const texts = WIRES.gemini?.textsOf(body) ?? []
      if ('requests' in body)
        sendJson(response, { embeddings: texts.map(text => ({ values: vectorOf(text) })) })
      else sendJson(response, { embedding: { values: vectorOf(texts[0] ?? '') } })
    },
    textsOf: body => {
      type Content = { content: { parts: [{ text: string }] } }
      const requests = 'requests' in body ? (body.requests as Content[]) : [body as Content]
      return requests.map(({ content }) => content.parts[0].text)
    },
    reports: false,
    settings: { requests: [{ outputDimensionality: 256, taskType: 'RETRIEVAL_QUERY' }, {}] },
  },
  // https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api (2026-11)
  vertex: {
    stage: {
      kind: 'vertex',
      credential: 'an-express-key',
      upstreamModel: 'text-embedding-005',
      basePath: '/v1/projects/p/locations/l',
    },
    path: '/v1/projects/p/locations/l/publishers/google/models/text-embedding-005:predict',
    most: 250,
    answer: ({ body }, response) =>
      sendJson(response, {
        predictions: WIRES.vertex
          ?.textsOf(body)
          .map(text => ({ embeddings: { values: vectorOf(text), statistics: { token_count: 3 } } })),
      }),
    textsOf: body => (body.instances as { content: string }[]).map(({ content }) => content),
    reports: true,
    settings: {
      instances: [{ task_type: 'RETRIEVAL_QUERY' }, {}],
      parameters: { outputDimensionality: 256 },
    },
  },
  // https://docs.cohere.com/v2/reference/embed (2026-11)
  cohere: {
    stage: { kind: 'cohere', credential: 'cohere-key', upstreamModel: 'embed-v4.0', basePath: '/v2' },
    path: '/v2/embed',
    most: 96,
    answer: ({ body }, response) => {
      const texts = WIRES.cohere?.textsOf(body) ?? []
      sendJson(response, {
        id: 'e_1',
        embeddings: { float: texts.map(vectorOf) },
        meta: { billed_units: { input_tokens: 3 * texts.length } },
      })
    },
    textsOf: body => body.texts as string[],
    reports: true,
    settings: { input_type: 'search_query', output_dimension: 256 },
  },
  // https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html (2026-11)
  titan: {
    stage: {
      kind: 'bedrock',
      credential: 'bedrock-key',
      upstreamModel: 'amazon.titan-embed-text-v2:0',
      basePath: '/',
    },
    path: '/model/amazon.titan-embed-text-v2%3A0/invoke',
    most: 1,
    answer: ({ body }, response) =>
      sendJson(response, { embedding: vectorOf(String(body.inputText)), inputTextTokenCount: 3 }),
    textsOf: body => [String(body.inputText)],
    reports: true,
    settings: { dimensions: 256 },
  },
  // https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html (2026-11)
  'cohere on bedrock': {
    stage: {
      kind: 'bedrock',
      credential: 'bedrock-key',
      upstreamModel: 'cohere.embed-v4:0',
      basePath: '/',
    },
    path: '/model/cohere.embed-v4%3A0/invoke',
    most: 96,
    answer: ({ body }, response) => {
      const texts = body.texts as string[]
      sendJson(response, { embeddings: { float: texts.map(vectorOf) } }, 200, {
        'x-amzn-bedrock-input-token-count': String(3 * texts.length),
      })
    },
    textsOf: body => body.texts as string[],
    reports: true,
    settings: { input_type: 'search_query', output_dimension: 256 },
  },
}

describe.each(Object.entries(WIRES))('%s', (_name, wire) => {
  let stage: TranslatedStage
  beforeAll(async () => {
    stage = await startTranslatedStage({ ...wire.stage, endpoints: ['embeddings'] })
  })
  afterAll(() => stage.close())
  beforeEach(() => {
    stage.upstream.requests.length = 0
    stage.upstream.respond(wire.answer)
  })

  const embed = (body: object) =>
    stage.client.embeddings.create({ model: PUBLIC_MODEL, input: 'Hello', ...body })

  test('texts get their embeddings in their order, in as many calls as it takes', async () => {
    const texts = Array.from({ length: Math.min(wire.most * 2, 200) + 1 }, (_, index) =>
      'x'.repeat(index + 1),
    )
    const { data, model, object } = await embed({ input: texts, encoding_format: 'float' })
    expect({ model, object }).toEqual({ model: PUBLIC_MODEL, object: 'list' })
    expect(data.map(({ index, embedding }) => [index, embedding])).toEqual(
      texts.map((text, index) => [index, vectorOf(text)]),
    )
    const sizes = stage.upstream.requests.map(({ body }) => wire.textsOf(body).length)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(wire.most)
    if (wire.reports) await stage.expectCharged(3 * texts.length, 0, 0, 0)
    else expect(await stage.lastRecord()).toMatchObject({ status: 'succeeded', usage_source: 'estimate' })
  })

  test('numbers come in the format that was asked for', async () => {
    // The library asks for base64 unless it is told otherwise, and reads it.
    const { data } = await embed({})
    expect(data[0]?.embedding).toEqual(vectorOf('Hello'))
    const response = await fetch(`${stage.gateway.url}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.caller.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: PUBLIC_MODEL, input: 'Hello', encoding_format: 'base64' }),
    })
    const answer = (await response.json()) as { data: [{ embedding: string }] }
    const bytes = Buffer.from(answer.data[0].embedding, 'base64')
    expect([...new Float32Array(new Uint8Array(bytes).buffer)]).toEqual(vectorOf('Hello'))
  })

  test('settings are carried over, and what is not is told', async () => {
    const body = { input: ['a', 'b'], dimensions: 256, input_type: 'search_query', user: 'u-1' }
    const { response } = await embed(wire.most === 1 ? { ...body, input: 'a' } : body).withResponse()
    expect(sentTo(stage)).toMatchObject({ path: wire.path, body: wire.settings })
    expect(response.headers.get('x-goldweight-warnings')).toContain('not passed on: user')
  })

  test('tokens are refused by name, and nothing is sent', async () => {
    for (const input of [
      [1, 2, 3],
      [[1, 2], [3]],
    ]) {
      const error = await apiErrorOf(embed({ input }))
      expect(error).toMatchObject({ status: 400, code: 'unsupported_parameter' })
      expect(error.message).toContain('input: ')
    }
    expect(stage.upstream.requests).toEqual([])
  })

  test.each([
    [400, 400, 'invalid_request_error'],
    [401, 502, 'upstream_error'],
    [429, 429, 'upstream_rate_limited'],
    [500, 502, 'upstream_error'],
  ])('an error status %i is told as %i, and costs nothing', async (status, told, type) => {
    stage.upstream.respond((_request, response) => sendJson(response, { message: 'No' }, status))
    expect(await apiErrorOf(embed({}))).toMatchObject({ status: told, type })
    await stage.expectFree()
  })

  test('an answer of another shape, or of other texts, is none', async () => {
    for (const body of [{ hello: 1 }, 'text']) {
      stage.upstream.respond((_request, response) => sendJson(response, body))
      expect(await apiErrorOf(embed({}))).toMatchObject({ status: 502, type: 'upstream_error' })
    }
    await stage.expectFree()
  })

  test('a part that fails ends the whole, and closes every connection', async () => {
    let answered = 0
    stage.upstream.respond((request, response) => {
      if (++answered === 2) sendJson(response, { message: 'No' }, 500)
      else if (answered > 2) setTimeout(() => wire.answer(request, response), 200)
      else wire.answer(request, response)
    })
    const texts = Array.from({ length: wire.most * 6 }, () => 'x')
    expect(await apiErrorOf(embed({ input: texts }))).toMatchObject({ status: 502 })
    await expect.poll(() => stage.upstream.load.now, { timeout: 1_000 }).toBe(0)
    await stage.expectFree()
  })
})

test('a number of dimensions that the package knows to be wrong is refused by name', async () => {
  const stage = await startTranslatedStage({ ...(WIRES.cohere as Wire).stage, endpoints: ['embeddings'] })
  try {
    const error = await apiErrorOf(
      stage.client.embeddings.create({ model: PUBLIC_MODEL, input: 'Hello', dimensions: 77 }),
    )
    expect(error).toMatchObject({ status: 400, code: 'unsupported_parameter' })
    expect(error.message).toContain('dimensions: ')
  } finally {
    await stage.close()
  }
})
