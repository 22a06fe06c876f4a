import { Agent, type Dispatcher } from 'undici'
import { redactText } from '#telemetry/log.ts'
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

/**
 * Asks a provider for its models: shows whether it is there and takes the credential. A provider that has no such
 * route fails the test though it may serve chat; the message says what it answered.
 */
export const testProvider: TestProvider = async provider => {
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
    const { status, body } = await askForModels(provider)
    return finish(...judge(status, body))
  } catch (error) {
    return finish(false, `The provider did not answer: ${describeFault(error)}`)
  }
}

async function askForModels({ baseUrl, credential, headers, timeouts }: CatalogProvider): Promise<Answer> {
  const agent = new Agent({ connect: { timeout: timeouts.connect_ms } })
  try {
    const { statusCode, body } = await agent.request({
      origin: new URL(baseUrl).origin,
      path: `${new URL(baseUrl).pathname.replace(/\/+$/, '')}/models`,
      method: 'GET',
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'goldweight',
        ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
        ...headers,
      },
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

function judge(status: number, body: string | null): [ok: boolean, message: string] {
  if (status < 200 || status > 299) {
    return [false, `The provider answered ${status}: ${body ?? 'a body that is far too long'}`]
  }
  const count = body === null ? null : countModels(body)
  return count === null
    ? [false, `The provider answered ${status}, but not with a list of models; is the base URL right?`]
    : [true, `The provider answered ${status} and lists ${count} ${count === 1 ? 'model' : 'models'}`]
}

function countModels(body: string): number | null {
  try {
    const answer: unknown = JSON.parse(body)
    // Some compatible servers send the bare list.
    const list = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : answer
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
  const secrets = [credential ?? '', ...Object.values(headers)]
    .filter(secret => secret.length >= SHORTEST_SECRET_CHARS)
    .sort((a, b) => b.length - a.length)
  const hidden = redactText(secrets.reduce((text, secret) => text.replaceAll(secret, '…'), message))
  return hidden.length > QUOTED_CHARS ? `${hidden.slice(0, QUOTED_CHARS)}…` : hidden
}
