import type { EndpointName } from '#contract/usage.ts'
import { type ReportedUsage, readUsage } from '#gateway/metering/usage.ts'
import { type Edit, findMember } from '#lib/json-scan.ts'
import { generatedText } from './chat-content.ts'

/** What there is to know of a complete answer. */
export type ReplyReading =
  | {
      readonly kind: 'answer'
      /** What puts the model's public name into it; null where it bears that name already. */
      readonly edit: Edit | null
      readonly usage: ReportedUsage | null
      readonly outputText: string
    }
  /** The answer is an error under a status of success. */
  | { readonly kind: 'error'; readonly body: unknown }
  | { readonly kind: 'invalid' }

type Members = Readonly<Record<string, unknown>>

/** Reads a complete answer. */
export function readReply(endpoint: EndpointName, bytes: Buffer, publicModel: string): ReplyReading {
  let body: unknown
  try {
    body = JSON.parse(bytes.toString('utf8'))
  } catch {
    return { kind: 'invalid' }
  }
  if (typeof body !== 'object' || body === null) return { kind: 'invalid' }
  const reply = body as Members // an object's members may be read by name
  if (reply.error) return { kind: 'error', body }
  const items = endpoint === 'chat' ? reply.choices : reply.data
  if (!Array.isArray(items) || items.length === 0) return { kind: 'invalid' }
  const usage = readUsage(reply.usage, endpoint)
  return {
    kind: 'answer',
    edit: publicModelEdit(bytes, reply, publicModel),
    usage,
    outputText: usage === null && endpoint === 'chat' ? items.map(textOfChoice).join('') : '',
  }
}

function textOfChoice(choice: unknown): string {
  return typeof choice === 'object' && choice !== null && 'message' in choice
    ? generatedText(choice.message)
    : ''
}

/** The edit that puts the name that the client asked for into an answer or chunk; null where it is there already. */
export function publicModelEdit(bytes: Buffer, parsed: Members, publicModel: string): Edit | null {
  if (parsed.model === undefined || parsed.model === publicModel) return null
  const member = findMember(bytes, 'model')
  if (!member) return null
  return { start: member.valueStart, end: member.valueEnd, text: JSON.stringify(publicModel) }
}
