import { describe, expect, test } from 'vitest'
import type { CatalogProvider } from '#domains/catalog/snapshot.ts'
import { createHttpTransport } from './http1/http-transport.ts'
import { createModelListings } from './model-listings.ts'

const listingOf = createModelListings(createHttpTransport())

function providerOf(kind: string, baseUrl: string, credential = 'key-1'): CatalogProvider {
  const timeouts = { connect_ms: 1000, first_byte_ms: 1000, idle_ms: 1000 }
  return {
    id: 'prv_1',
    name: kind,
    kind,
    baseUrl,
    credential,
    credentialId: 'prv_1:1',
    credentialName: null,
    endpoints: null,
    headers: {},
    timeouts,
  }
}

async function questionsTo(provider: CatalogProvider) {
  const listing = listingOf(provider.kind)
  if (!('questions' in listing)) throw new Error('needs no question')
  return listing.questions(provider)
}

function read(kind: string, answer: unknown) {
  const listing = listingOf(kind)
  if (!('read' in listing)) throw new Error('has no list')
  return listing.read(answer)
}

describe('each kind is asked where its models are, with its credential', () => {
  const cases: [kind: string, base: string, url: string, headers: object][] = [
    ['openai', 'http://a/v1', 'http://a/v1/models', { authorization: 'Bearer key-1' }],
    ['groq', 'http://a/openai/v1', 'http://a/openai/v1/models', { authorization: 'Bearer key-1' }],
    ['anthropic', 'http://a/v1', 'http://a/v1/models?limit=1000', { 'x-api-key': 'key-1' }],
    ['gemini', 'http://a/v1beta', 'http://a/v1beta/models?pageSize=1000', { 'x-goog-api-key': 'key-1' }],
    ['cohere', 'http://a/v2', 'http://a/v1/models?page_size=1000', { authorization: 'Bearer key-1' }],
    [
      'azure',
      'http://a/openai?api-version=1',
      'http://a/openai/models?api-version=1',
      { 'api-key': 'key-1' },
    ],
    [
      'vertex',
      'https://eu-x.example/v1/projects/p/locations/eu',
      'https://eu-x.example/v1beta1/publishers/google/models?pageSize=200',
      { 'x-goog-api-key': 'key-1' },
    ],
    [
      'bedrock',
      'https://bedrock-runtime.eu-west-1.amazonaws.com',
      'https://bedrock.eu-west-1.amazonaws.com/foundation-models',
      { authorization: 'Bearer key-1' },
    ],
  ]
  test.each(cases)('%s', async (kind, base, url, headers) => {
    const [question] = await questionsTo(providerOf(kind, base))
    expect(question).toMatchObject({ method: 'GET', url, headers })
  })

  test('bedrock signs for its control plane where the credential is a key of AWS', async () => {
    const credential = JSON.stringify({ access_key_id: 'AK', secret_access_key: 'SK', region: 'eu-west-1' })
    const questions = await questionsTo(
      providerOf('bedrock', 'https://bedrock-runtime.eu-west-1.amazonaws.com', credential),
    )
    expect(questions).toHaveLength(2)
    for (const { headers } of questions) {
      expect(headers.authorization).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AK\/\d{8}\/eu-west-1\/bedrock\/aws4_request/,
      )
      expect(headers).toHaveProperty('x-amz-date')
    }
  })
})

describe('what each kind tells of its models is read', () => {
  const cases: [kind: string, answer: unknown, models: object[]][] = [
    [
      'openai',
      { data: [{ id: 'gpt-4.1' }, { id: 'text-embedding-3-small' }, { nonsense: true }] },
      [
        { upstreamModel: 'gpt-4.1', name: null, endpoints: ['chat'] },
        { upstreamModel: 'text-embedding-3-small', endpoints: ['embeddings'] },
      ],
    ],
    [
      'openrouter',
      {
        data: [
          {
            id: 'acme/scale',
            name: 'Acme: Scale',
            context_length: 128_000,
            architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
            top_provider: { max_completion_tokens: 16_000 },
          },
        ],
      },
      [
        {
          upstreamModel: 'acme/scale',
          name: 'Acme: Scale',
          contextWindow: 128_000,
          maxOutputTokens: 16_000,
          modalities: { input: ['text', 'image'], output: ['text'] },
        },
      ],
    ],
    ['vllm', [{ id: 'm', max_model_len: 4096 }], [{ upstreamModel: 'm', contextWindow: 4096 }]],
    [
      'anthropic',
      { data: [{ id: 'claude-x', display_name: 'Claude X', type: 'model' }], has_more: false },
      [{ upstreamModel: 'claude-x', name: 'Claude X', endpoints: ['chat'] }],
    ],
    [
      'gemini',
      {
        models: [
          {
            name: 'models/g',
            displayName: 'G',
            inputTokenLimit: 9,
            outputTokenLimit: 8,
            supportedGenerationMethods: ['generateContent', 'countTokens'],
          },
          { name: 'models/e', supportedGenerationMethods: ['embedContent'] },
          { name: 'models/veo', supportedGenerationMethods: ['predictLongRunning'] },
        ],
      },
      [
        { upstreamModel: 'g', name: 'G', contextWindow: 9, maxOutputTokens: 8, endpoints: ['chat'] },
        { upstreamModel: 'e', endpoints: ['embeddings'] },
      ],
    ],
    [
      'cohere',
      {
        models: [
          { name: 'c', endpoints: ['chat', 'generate'], context_length: 5 },
          { name: 'r', endpoints: ['rerank'] },
        ],
      },
      [{ upstreamModel: 'c', contextWindow: 5, endpoints: ['chat'] }],
    ],
    [
      'vertex',
      { publisherModels: [{ name: 'publishers/google/models/gemini-x' }] },
      [{ upstreamModel: 'gemini-x', endpoints: ['chat'] }],
    ],
    [
      'bedrock',
      {
        modelSummaries: [
          {
            modelId: 'a.b-v1:0',
            modelName: 'B',
            inputModalities: ['TEXT'],
            outputModalities: ['TEXT'],
            inferenceTypesSupported: ['ON_DEMAND'],
          },
          { modelId: 'a.embed-v1', outputModalities: ['EMBEDDING'], inferenceTypesSupported: ['ON_DEMAND'] },
          {
            modelId: 'a.profile-only',
            outputModalities: ['TEXT'],
            inferenceTypesSupported: ['INFERENCE_PROFILE'],
          },
        ],
      },
      [
        {
          upstreamModel: 'a.b-v1:0',
          name: 'B',
          modalities: { input: ['text'], output: ['text'] },
          endpoints: ['chat'],
        },
        { upstreamModel: 'a.embed-v1', endpoints: ['embeddings'] },
      ],
    ],
    [
      'bedrock',
      { inferenceProfileSummaries: [{ inferenceProfileId: 'eu.a.b', inferenceProfileName: 'EU B' }] },
      [{ upstreamModel: 'eu.a.b', name: 'EU B', endpoints: ['chat'] }],
    ],
  ]
  test.each(cases)('%s', (kind, answer, models) => {
    const found = read(kind, answer)
    expect(found).toHaveLength(models.length)
    expect(found).toMatchObject(models)
  })

  test.each(['openai', 'anthropic', 'gemini', 'cohere', 'vertex', 'bedrock'])(
    '%s: what is no list is none',
    kind => {
      for (const answer of [null, 'text', {}, { data: 1 }, { error: { message: 'no' } }]) {
        expect(read(kind, answer)).toBeNull()
      }
    },
  )
})
