/** Setting up every kind of upstream: addresses, credentials, and what its test asks. */
import { createVerify, generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'
import { sendJson, startUpstream, type Upstream } from '#test/support/upstream.ts'

let gateway: TestGateway
let upstream: Upstream
beforeAll(async () => {
  gateway = await startGateway()
  upstream = await startUpstream()
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})
beforeEach(() => {
  upstream.requests.length = 0
})

let made = 0

type Provider = { id: string; base_url: string; has_credential: boolean }
type Tested = { ok: boolean; message: string }

const create = (body: object) =>
  gateway.admin.call<Provider>('POST', '/admin/providers', { name: `Provider ${++made}`, ...body })

async function testOf(body: object): Promise<Tested> {
  const { id } = await create(body)
  return gateway.admin.call<Tested>('POST', `/admin/providers/${id}/test`)
}

const origin = () => new URL(upstream.baseUrl).origin
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

const AWS = {
  access_key_id: 'AKIDEXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const googleAccount = () => ({
  type: 'service_account',
  project_id: 'a-project',
  client_email: 'gateway@a-project.iam.gserviceaccount.com',
  private_key: PEM,
  token_uri: `${origin()}/token`,
})
const entraApplication = () => ({
  tenant_id: 'a-tenant',
  client_id: 'a-client',
  client_secret: 'a-very-secret-client-secret',
  authority: origin(),
})

describe('an address', () => {
  test.each([
    ['openai', 'https://api.openai.com/v1'],
    ['mistral', 'https://api.mistral.ai/v1'],
    ['deepseek', 'https://api.deepseek.com/v1'],
    ['groq', 'https://api.groq.com/openai/v1'],
    ['xai', 'https://api.x.ai/v1'],
    ['openrouter', 'https://openrouter.ai/api/v1'],
    ['anthropic', 'https://api.anthropic.com/v1'],
    ['gemini', 'https://generativelanguage.googleapis.com/v1beta'],
    ['cohere', 'https://api.cohere.com/v2'],
  ])('of %s need not be given', async (kind, baseUrl) => {
    expect((await create({ kind, credential: 'a-key' })).base_url).toBe(baseUrl)
  })

  test.each(['azure', 'vertex', 'bedrock'])(
    'of %s has to be given, and the refusal shows one',
    async kind => {
      await expect(create({ kind, credential: 'a-key' })).rejects.toThrow(
        /400.*base_url: is needed, such as https:/,
      )
    },
  )

  test('may name a version of its API on Azure, and nothing else', async () => {
    const base = 'https://res.openai.azure.com/openai'
    const kept = await create({ kind: 'azure', base_url: `${base}/?api-version=2024-10-21`, credential: 'k' })
    expect(kept.base_url).toBe(`${base}?api-version=2024-10-21`)
    await expect(create({ kind: 'azure', base_url: `${base}?api-key=k` })).rejects.toThrow('400')
    await expect(create({ kind: 'openai', base_url: `${base}?api-version=2024-10-21` })).rejects.toThrow(
      '400',
    )
  })
})

describe('a credential', () => {
  test('may be an object, or its JSON, where the kind has such', async () => {
    const base_url = 'https://bedrock-runtime.us-east-1.amazonaws.com'
    expect((await create({ kind: 'bedrock', base_url, credential: AWS })).has_credential).toBe(true)
    const text = JSON.stringify(AWS, null, 2)
    expect((await create({ kind: 'bedrock', base_url, credential: text })).has_credential).toBe(true)
  })

  test.each([
    ['bedrock', { ...AWS, region: undefined }, 'credential.region'],
    ['bedrock', { ...AWS, profile: 'default' }, 'credential'],
    ['vertex', { type: 'authorized_user', client_email: 'a', private_key: PEM }, 'credential.type'],
    [
      'vertex',
      { type: 'service_account', client_email: 'a', private_key: 'secret-nonsense' },
      'credential.private_key',
    ],
    ['azure', { tenant_id: 't', client_id: 'c' }, 'credential.client_secret'],
    ['openai', { key: 'k' }, 'credential'],
  ])('of %s is refused by the field that is wrong, and never repeated', async (kind, credential, field) => {
    const call = create({ kind, base_url: 'https://example.org/v1', credential })
    await expect(call).rejects.toThrow(`400`)
    await expect(call).rejects.toThrow(`${field}: `)
    const { message } = await call.catch((error: Error) => error).then(error => error as Error)
    expect(message).not.toContain('secret-nonsense')
    expect(message).not.toContain(AWS.secret_access_key)
  })

  test('shows nowhere', async () => {
    const { id } = await create({ kind: 'bedrock', base_url: 'https://example.org', credential: AWS })
    const shown = JSON.stringify([
      await gateway.admin.call('GET', `/admin/providers/${id}`),
      await gateway.admin.call('GET', '/admin/audit?limit=100'),
    ])
    expect(shown).not.toContain(AWS.secret_access_key)
    expect(shown).not.toContain(AWS.access_key_id)
  })
})

describe('the test of a provider', () => {
  /** Where models are listed under their own word, they bear names instead of ids. */
  const listModels = (member: string) => {
    const models = ['a', 'b'].map(name => (member === 'models' ? { name } : { id: name }))
    upstream.respond((_request, response) => sendJson(response, { [member]: models }))
  }

  test.each([
    ['openai', '/v1', 'data', '/v1/models', { authorization: 'Bearer a-secret-key' }],
    ['groq', '/openai/v1', 'data', '/openai/v1/models', { authorization: 'Bearer a-secret-key' }],
    [
      'anthropic',
      '/v1',
      'data',
      '/v1/models?limit=1000',
      { 'x-api-key': 'a-secret-key', 'anthropic-version': '2023-06-01' },
    ],
    ['gemini', '/v1beta', 'models', '/v1beta/models?pageSize=1000', { 'x-goog-api-key': 'a-secret-key' }],
    ['cohere', '/v2', 'models', '/v1/models?page_size=1000', { authorization: 'Bearer a-secret-key' }],
    ['azure', '/openai/v1', 'data', '/openai/v1/models', { 'api-key': 'a-secret-key' }],
    [
      'azure',
      '/openai?api-version=2024-10-21',
      'data',
      '/openai/models?api-version=2024-10-21',
      { 'api-key': 'a-secret-key' },
    ],
  ])('of kind %s asks for its models in its own way', async (kind, base, member, path, headers) => {
    listModels(member)
    const tested = await testOf({ kind, base_url: origin() + base, credential: 'a-secret-key' })
    expect(tested).toMatchObject({ ok: true, message: 'The provider answered 200 and lists 2 models' })
    expect(upstream.requests.at(-1)).toMatchObject({ path, headers })
  })

  test('of Bedrock calls a model that there is not, signed or by a key', async () => {
    upstream.respond((_request, response) =>
      sendJson(response, { message: 'The provided model identifier is invalid.' }, 400),
    )
    for (const credential of ['a-secret-key', AWS]) {
      expect(await testOf({ kind: 'bedrock', base_url: origin(), credential })).toMatchObject({ ok: true })
      expect(upstream.requests.at(-1)?.path).toMatch(/^\/model\/no-such-model[^/]*\/converse$/)
    }
    expect(upstream.requests.at(-1)?.headers.authorization).toContain(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE',
    )
    upstream.respond((_request, response) =>
      sendJson(response, { message: 'The security token included in the request is invalid.' }, 403),
    )
    expect(await testOf({ kind: 'bedrock', base_url: origin(), credential: AWS })).toMatchObject({
      ok: false,
      message: expect.stringContaining('403'),
    })
  })

  test('of Vertex gets itself a token with a signature that holds, and calls a model that there is not', async () => {
    upstream.respond(({ path }, response) =>
      path === '/token'
        ? sendJson(response, { access_token: 'a-google-token', expires_in: 3600 })
        : sendJson(
            response,
            { error: { code: 404, message: 'Publisher Model … was not found', status: 'NOT_FOUND' } },
            404,
          ),
    )
    const base = `${origin()}/v1/projects/p/locations/l`
    expect(await testOf({ kind: 'vertex', base_url: base, credential: googleAccount() })).toMatchObject({
      ok: true,
    })
    const [asked, called] = upstream.requests
    expect(called).toMatchObject({
      path: expect.stringMatching(
        /^\/v1\/projects\/p\/locations\/l\/publishers\/google\/models\/no-such-model/,
      ),
      headers: { authorization: 'Bearer a-google-token' },
    })
    const form = new URLSearchParams(asked?.bytes.toString())
    const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: 'gateway@a-project.iam.gserviceaccount.com',
      aud: `${origin()}/token`,
      scope: 'https://www.googleapis.com/auth/cloud-platform',
    })
    const verify = createVerify('RSA-SHA256').update(`${header}.${claims}`)
    expect(verify.verify(publicKey, signature, 'base64url')).toBe(true)
  })

  test('of Azure gets itself a token of an application', async () => {
    upstream.respond(({ path }, response) =>
      path === '/a-tenant/oauth2/v2.0/token'
        ? sendJson(response, { access_token: 'an-entra-token', expires_in: 3600 })
        : sendJson(response, { data: [{ id: 'a' }] }),
    )
    const tested = await testOf({
      kind: 'azure',
      base_url: `${origin()}/openai/v1`,
      credential: entraApplication(),
    })
    expect(tested.ok).toBe(true)
    const [asked, called] = upstream.requests
    expect(Object.fromEntries(new URLSearchParams(asked?.bytes.toString()))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'a-client',
      client_secret: 'a-very-secret-client-secret',
      scope: 'https://cognitiveservices.azure.com/.default',
    })
    expect(called?.headers).toMatchObject({ authorization: 'Bearer an-entra-token' })
  })

  test('fails where no token is to be had, and repeats no secret', async () => {
    upstream.respond((_request, response) =>
      sendJson(response, { error: 'invalid_client', error_description: 'a-very-secret-client-secret' }, 401),
    )
    const tested = await testOf({
      kind: 'azure',
      base_url: `${origin()}/openai/v1`,
      credential: entraApplication(),
    })
    expect(tested).toMatchObject({ ok: false, message: expect.stringContaining('no token was given out') })
    expect(tested.message).not.toContain('a-very-secret-client-secret')
  })
})
