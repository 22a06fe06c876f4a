import { portFor, type Target } from './jobs.ts'

/** The name that callers use; as long as the upstream's own name for it. */
export const PUBLIC_MODEL = 'bench-chat'

export const CHAT_PATH = '/v1/chat/completions'

const BODY_BYTES = 1024

/** A chat request of exactly 1 KB. */
function chatBody(extraFields: object): string {
  const bodyWith = (text: string) =>
    JSON.stringify({
      model: PUBLIC_MODEL,
      messages: [
        { role: 'system', content: 'You answer briefly.' },
        { role: 'user', content: text },
      ],
      temperature: 0.2,
      ...extraFields,
    })
  const missing = BODY_BYTES - bodyWith('').length
  return bodyWith('What does a gateway cost, and what is it worth? '.repeat(30).slice(0, missing))
}

function httpRequest(target: Target, body: string): string {
  return [
    `POST ${CHAT_PATH} HTTP/1.1`,
    `host: 127.0.0.1:${portFor(target, 0)}`,
    `authorization: Bearer ${target.token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

export function chatRequest(target: Target): string {
  return httpRequest(target, chatBody({}))
}

/** A request for a stream of so many pieces of content, with the usage event that a client may ask for. */
export function streamRequest(target: Target, chunks: number): string {
  const fields = { stream: true, stream_options: { include_usage: true }, max_completion_tokens: chunks }
  return httpRequest(target, chatBody(fields))
}
