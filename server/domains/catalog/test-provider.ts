import { Agent, type Dispatcher } from 'undici'
import { redactText } from '#telemetry/log.ts'
import { secretsOf } from './provider-credential.ts'
import { DEMO_KIND } from './provider-input.ts'
import type { CatalogProvider } from './snapshot.ts'

/** What became of a test call. The message is for administrators: it never holds a credential. */
export type ProviderTest = { readonly ok: boolean; readonly latency_ms: number; readonly message: string }

export type TestProvider = (provider: CatalogProvider) => Promise<ProviderTest>

/** Whoever presses the button waits no longer than this, however patient the provider's own timeouts are. */
const LONGEST_TEST_MS = 30_000
const BODY_LIMIT_BYTES = 4 * 1024 * 1024
const QUOTED_CHARS = 300
/** A secret of fewer characters could be any word: hiding it would garble the message and hide nothing. */
const SHORTEST_SECRET_CHARS = 4

type Answer = { readonly status: number; readonly body: string | null }

/** How a provider is asked whether it is there and takes the credential. */
export type TestRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** What shows that all is well: its models, or its word that it has no model of a name that none bears. */
  readonly expects: 'models' | 'no such model'
}

/** Knows how providers of each kind are asked; throws where one can not even be asked. */
export type TestRequestOf = (provider: CatalogProvider) => Promise<TestRequest>

/**
 * Makes the test of a provider, which costs nothing. A provider that does not answer as expected fails it though it may
 * serve chat; the message says what it answered.
 */
export function createTestProvider(requestOf: TestRequestOf): TestProvider {
  return async provider => {
    if (provider.kind === DEMO_KIND) {
      return { ok: true, latency_ms: 0, message: 'The demonstration upstream runs inside this process' }
    }
    const startedAt = performance.now()
    const finish = (ok: boolean, message: string): ProviderTest => ({
      ok,
      latency_ms: Math.round(performance.now() - startedAt),
      message: hideSecrets(message, provider),
    })
    try {
      const request = await requestOf(provider)
      const answer = await ask(request, provider)
      return finish(...(request.expects === 'models' ? judgeModels(answer) : judgeNoSuchModel(answer)))
    } catch (error) {
      return finish(false, `The provider did not answer: ${describeFault(error)}`)
    }
  }
}

async function ask(request: TestRequest, { headers, timeouts }: CatalogProvider): Promise<Answer> {
  const agent = new Agent({ connect: { timeout: timeouts.connect_ms } })
  try {
    const { origin, pathname, search } = new URL(request.url)
    const { statusCode, body } = await agent.request({
      origin,
      path: pathname + search,
      method: request.method,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'goldweight',
        ...request.headers,
        ...headers,
      },
      ...(request.body === undefined ? {} : { body: request.body }),
      headersTimeout: timeouts.first_byte_ms,
      bodyTimeout: timeouts.idle_ms,
      signal: AbortSignal.timeout(LONGEST_TEST_MS),
    })
    return { status: statusCode, body: await readBounded(body) }
  } finally {
    await agent.destroy()
  }
}

/** The body as text; null when there is more of it than anyone should send. */
async function readBounded(body: Dispatcher.ResponseData['body']): Promise<string | null> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > BODY_LIMIT_BYTES) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

type Judgement = [ok: boolean, message: string]

function judgeModels({ status, body }: Answer): Judgement {
  if (status < 200 || status > 299) {
    return [false, `The provider answered ${status}: ${body ?? 'a body that is far too long'}`]
  }
  const count = body === null ? null : countModels(body)
  return count === null
    ? [false, `The provider answered ${status}, but not with a list of models; is the base URL right?`]
    : [true, `The provider answered ${status} and lists ${count} ${count === 1 ? 'model' : 'models'}`]
}

/** A wrong address or credential is told otherwise than a name that no model bears. */
function judgeNoSuchModel({ status, body }: Answer): Judgement {
  const told = body ?? 'a body that is far too long'
  const isMissing = (status === 400 || status === 404) && /model|profile/i.test(told) && told.startsWith('{')
  return isMissing
    ? [true, `The provider answered ${status}, as it does to a call of a model that it has not: ${told}`]
    : [false, `The provider answered ${status}: ${told}`]
}

function countModels(body: string): number | null {
  try {
    const answer: unknown = JSON.parse(body)
    // Some compatible servers send the bare list.
    if (typeof answer !== 'object' || answer === null) return null
    const list = 'data' in answer ? answer.data : 'models' in answer ? answer.models : answer
    return Array.isArray(list) ? list.length : null
  } catch {
    return null
  }
}

function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${LONGEST_TEST_MS / 1000} seconds`
  // A connection that fails on every address of a host has an empty message, and the code alone says why.
  return error.message || ('code' in error ? String(error.code) : error.name)
}

/** Hides first and cuts then: half a key would no longer be found. */
function hideSecrets(message: string, { credential, headers }: CatalogProvider): string {
  const secrets = [...secretsOf(credential), ...Object.values(headers)]
    .filter(secret => secret.length >= SHORTEST_SECRET_CHARS)
    .sort((a, b) => b.length - a.length)
  const hidden = redactText(secrets.reduce((text, secret) => text.replaceAll(secret, '…'), message))
  return hidden.length > QUOTED_CHARS ? `${hidden.slice(0, QUOTED_CHARS)}…` : hidden
}
