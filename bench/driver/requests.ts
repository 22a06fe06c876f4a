import { DIALECTS } from './dialects.ts'
import { portFor, type Target } from './jobs.ts'

/** The name that callers use; as long as the upstream's own name for it. */
export const PUBLIC_MODEL = 'bench-chat'

const BODY_BYTES = 1024

/** A question of exactly 1 KB. */
function questionOf({ dialect }: Target, extraFields: object): string {
  const bodyWith = (text: string) =>
    JSON.stringify({
      model: PUBLIC_MODEL,
      ...DIALECTS[dialect].question(text),
      temperature: 0.2,
      ...extraFields,
    })
  const missing = BODY_BYTES - bodyWith('').length
  return bodyWith('What does a gateway cost, and what is it worth? '.repeat(30).slice(0, missing))
}

function httpRequest(target: Target, extraFields: object): string {
  const body = questionOf(target, extraFields)
  return [
    `POST ${DIALECTS[target.dialect].path} HTTP/1.1`,
    `host: 127.0.0.1:${portFor(target, 0)}`,
    `authorization: Bearer ${target.token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

export function wholeRequest(target: Target): string {
  return httpRequest(target, {})
}

/** A request for a stream of so many pieces of content, with the usage event that a client may ask for. */
export function streamRequest(target: Target, chunks: number): string {
  return httpRequest(target, DIALECTS[target.dialect].streaming(chunks))
}
