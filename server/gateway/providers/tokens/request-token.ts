import type { CatalogProvider } from '#domains/catalog/snapshot.ts'
import { collectAnswer, NoAnswer } from '#gateway/providers/collect-answer.ts'
import type { Transport } from '#gateway/providers/transport.ts'

/** What a token costs to be had: a form that is sent to whoever gives it out. */
export type TokenRequest = {
  readonly url: string
  readonly form: Readonly<Record<string, string>>
}

export type Token = { readonly text: string; readonly livesMs: number }

const DEFAULT_LIFE_SECONDS = 3600

/** Asks for a token (RFC 6749, section 4 and 5). Throws `NoAnswer`. */
export async function requestToken(
  { url, form }: TokenRequest,
  { transport, provider }: { readonly transport: Transport; readonly provider: CatalogProvider },
): Promise<Token> {
  const { origin, pathname, search } = new URL(url)
  const { status, body } = await collectAnswer(transport, {
    origin,
    path: pathname + search,
    headers: [
      'content-type',
      'application/x-www-form-urlencoded',
      'accept',
      'application/json',
      'accept-encoding',
      'identity',
      'user-agent',
      'goldweight',
    ],
    requestId: 'token',
    body: [Buffer.from(new URLSearchParams(form).toString())],
    timeouts: provider.timeouts,
  })
  const answer = parse(body)
  if (status !== 200 || typeof answer.access_token !== 'string') {
    // What it says may hold parts of the credential.
    throw new NoAnswer(`no token was given out: status ${status}`)
  }
  const lifeSeconds = Number(answer.expires_in)
  return {
    text: answer.access_token,
    livesMs: (lifeSeconds > 0 ? lifeSeconds : DEFAULT_LIFE_SECONDS) * 1000,
  }
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    // An object's members may be read by name.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
