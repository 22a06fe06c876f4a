import { Agent, type Dispatcher } from 'undici'
import type { ProviderVerdict } from '#contract/provider-models.ts'
import { redactText } from '#telemetry/log.ts'
import { secretsOf } from './provider-credential.ts'
import type { CatalogProvider } from './snapshot.ts'

/** A question to a provider that costs nothing: its models, or a call of none. */
export type ProviderQuestion = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The body is null when there is more of it than anyone should send. */
export type ProviderAnswer = { readonly status: number; readonly body: string | null }

/** What is thought of an answer. The message is for administrators: it never holds a credential. */
export type Judgement = { readonly verdict: ProviderVerdict; readonly message: string }

/** Whoever presses the button waits no longer than this, however patient the provider's own timeouts are. */
const LONGEST_WAIT_MS = 30_000
const BODY_LIMIT_BYTES = 4 * 1024 * 1024
const QUOTED_CHARS = 300
/** A secret of fewer characters could be any word: hiding it would garble the message and hide nothing. */
const SHORTEST_SECRET_CHARS = 4

/** Asks a provider within its timeouts; follows no redirect. Throws when no answer comes. */
export async function askProvider(
  question: ProviderQuestion,
  { headers, timeouts }: CatalogProvider,
): Promise<ProviderAnswer> {
  const agent = new Agent({ connect: { timeout: timeouts.connect_ms } })
  try {
    const { origin, pathname, search } = new URL(question.url)
    const { statusCode, body } = await agent.request({
      origin,
      path: pathname + search,
      method: question.method,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'goldweight',
        ...question.headers,
        ...headers,
      },
      ...(question.body === undefined ? {} : { body: question.body }),
      headersTimeout: timeouts.first_byte_ms,
      bodyTimeout: timeouts.idle_ms,
      signal: AbortSignal.timeout(LONGEST_WAIT_MS),
    })
    return { status: statusCode, body: await readBounded(body) }
  } finally {
    await agent.destroy()
  }
}

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

/** What an answer that is no success means. */
export function judgeStatus({ status, body }: ProviderAnswer): Judgement {
  const told = `The provider answered ${status}: ${body ?? 'a body that is far too long'}`
  if (status === 401 || status === 403) return { verdict: 'credential_refused', message: told }
  if (status === 404 || status === 405) return { verdict: 'not_found', message: told }
  if (status === 429) return { verdict: 'throttled', message: told }
  return { verdict: status >= 500 ? 'failed' : 'unexpected_answer', message: told }
}

/** What it means that no answer came. */
export function judgeFault(error: unknown): Judgement {
  const described = describeFault(error)
  const isTimeout = error instanceof Error && /timeout/i.test(`${error.name} ${codeOf(error)}`)
  return {
    verdict: isTimeout ? 'timed_out' : 'unreachable',
    message: `The provider did not answer: ${described}`,
  }
}

function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${LONGEST_WAIT_MS / 1000} seconds`
  // A connection that fails on every address of a host has an empty message, and the code alone says why.
  return error.message || codeOf(error) || error.name
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}

/** Hides first and cuts then: half a key would no longer be found. */
export function hideSecrets(message: string, { credential, headers }: CatalogProvider): string {
  const secrets = [...secretsOf(credential), ...Object.values(headers)]
    .filter(secret => secret.length >= SHORTEST_SECRET_CHARS)
    .sort((a, b) => b.length - a.length)
  const hidden = redactText(secrets.reduce((text, secret) => text.replaceAll(secret, '…'), message))
  return hidden.length > QUOTED_CHARS ? `${hidden.slice(0, QUOTED_CHARS)}…` : hidden
}
