import type { EndpointName } from '#contract/usage.ts'
import type { ReportedUsage } from '#gateway/metering/usage.ts'
import { type Edit, findMember } from '#lib/json-scan.ts'
import { messagesReply } from './anthropic/messages-reply.ts'
import { chatReply, embeddingsReply } from './openai/chat-reply.ts'
import { responsesReply } from './openai/responses-reply.ts'

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

export type Members = Readonly<Record<string, unknown>>

/** What the complete answers of one endpoint look like. */
export type ReplyShape = {
  /** The error that it holds in place of an answer, as a body; undefined where there is none. */
  findError(reply: Members): unknown
  isAnswer(reply: Members): boolean
  readUsage(reply: Members): ReportedUsage | null
  /** All that was generated, as text. */
  textOf(reply: Members): string
}

const SHAPES: Readonly<Record<EndpointName, ReplyShape>> = {
  chat: chatReply,
  embeddings: embeddingsReply,
  messages: messagesReply,
  responses: responsesReply,
}

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
  const shape = SHAPES[endpoint]
  const error = shape.findError(reply)
  if (error !== undefined) return { kind: 'error', body: error }
  if (!shape.isAnswer(reply)) return { kind: 'invalid' }
  const usage = shape.readUsage(reply)
  return {
    kind: 'answer',
    edit: publicModelEdit(bytes, reply, publicModel),
    usage,
    outputText: usage === null ? shape.textOf(reply) : '',
  }
}

/** The edit that puts the name that the client asked for into an answer or chunk; null where it is there already. */
export function publicModelEdit(bytes: Buffer, parsed: Members, publicModel: string): Edit | null {
  if (parsed.model === undefined || parsed.model === publicModel) return null
  const member = findMember(bytes, 'model')
  if (!member) return null
  return { start: member.valueStart, end: member.valueEnd, text: JSON.stringify(publicModel) }
}

/** The same for an answer that stands within a member of an event, such as `response`. */
export function nestedModelEdit(
  bytes: Buffer,
  { name, parsed }: { readonly name: string; readonly parsed: unknown },
  publicModel: string,
): Edit | null {
  if (typeof parsed !== 'object' || parsed === null) return null
  const outer = findMember(bytes, name)
  if (!outer) return null
  const inner = bytes.subarray(outer.valueStart, outer.valueEnd)
  const edit = publicModelEdit(inner, parsed as Members, publicModel) // an object's members may be read by name
  return edit && { ...edit, start: edit.start + outer.valueStart, end: edit.end + outer.valueStart }
}
