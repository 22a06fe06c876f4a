import type { AskedEndpoint } from '#gateway/generation-request.ts'
import type { ReportedUsage } from '#gateway/metering/usage.ts'
import { type Edit, findMember } from '#lib/json-scan.ts'
import { messagesReply, tokenCountReply } from './anthropic/messages-reply.ts'
import { chatReply, completionsReply, embeddingsReply, moderationsReply } from './openai/chat-reply.ts'
import { glanceAtChatReply } from './openai/glance-at-chat-reply.ts'
import { imagesReply, rerankReply, speechReply } from './openai/media-replies.ts'
import { responsesReply } from './openai/responses-reply.ts'
import { transcriptionReply } from './openai/transcription-reply.ts'

/** What there is to know of a complete answer. */
export type ReplyReading =
  | {
      readonly kind: 'answer'
      /** What puts the model's public name into it; null where it bears that name already. */
      readonly edit: Edit | null
      readonly usage: ReportedUsage | null
      readonly unitCount: number | null
      readonly outputText: string
      /** What its upstream calls it, where it is no JSON. */
      readonly contentType?: string
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
  /** How many units the answer tells of or holds; null where it does not tell. */
  countUnits?(reply: Members): number | null
  /** Reads an answer that is no JSON, where callers can ask for one. */
  readPlain?(text: string): Pick<Extract<ReplyReading, { kind: 'answer' }>, 'unitCount' | 'outputText'>
}

const SHAPES: Readonly<Record<AskedEndpoint, ReplyShape>> = {
  chat: chatReply,
  messages: messagesReply,
  count_tokens: tokenCountReply,
  responses: responsesReply,
  completions: completionsReply,
  embeddings: embeddingsReply,
  moderations: moderationsReply,
  images: imagesReply,
  image_edits: imagesReply,
  image_variations: imagesReply,
  speech: speechReply,
  transcriptions: transcriptionReply,
  translations: transcriptionReply,
  rerank: rerankReply,
}

export type WholeAnswerBytes = {
  readonly endpoint: AskedEndpoint
  readonly bytes: Buffer
  readonly publicModel: string
  readonly contentType: string
}

/** Reads a complete answer. */
export function readReply(answer: WholeAnswerBytes): ReplyReading {
  const glanced = answer.endpoint === 'chat' ? glanceAtChatReply(answer.bytes, answer.publicModel) : null
  return glanced ?? readCarefully(answer)
}

/** Reads any answer there can be. */
export function readCarefully({ endpoint, bytes, publicModel, contentType }: WholeAnswerBytes): ReplyReading {
  const shape = SHAPES[endpoint]
  if (shape.readPlain && !/\bjson\b/i.test(contentType)) {
    const type = contentType === '' ? {} : { contentType }
    return { kind: 'answer', edit: null, usage: null, ...type, ...shape.readPlain(bytes.toString('utf8')) }
  }
  let body: unknown
  try {
    body = JSON.parse(bytes.toString('utf8'))
  } catch {
    return { kind: 'invalid' }
  }
  if (typeof body !== 'object' || body === null) return { kind: 'invalid' }
  const reply = body as Members // an object's members may be read by name
  const error = shape.findError(reply)
  if (error !== undefined) return { kind: 'error', body: error }
  if (!shape.isAnswer(reply)) return { kind: 'invalid' }
  const usage = shape.readUsage(reply)
  return {
    kind: 'answer',
    edit: publicModelEdit(bytes, reply, publicModel),
    usage,
    unitCount: shape.countUnits?.(reply) ?? null,
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
