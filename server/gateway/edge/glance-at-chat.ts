/** The quick way to what the gateway has to know of an ordinary chat request, straight from its bytes. */
import type { RequestOutline, Span } from '#gateway/generation-request.ts'
import {
  afterBlanks,
  byteAt,
  isNamed,
  isWalked,
  isWord,
  plainString,
  UNSURE,
  type WalkedMember,
  type WalkMember,
  walkList,
  walkObject,
  walkValue,
} from '#lib/json-walk.ts'
import { askForUsage } from './ask-for-usage.ts'

const MODEL = Buffer.from('model')
const MESSAGES = Buffer.from('messages')
const STREAM = Buffer.from('stream')
const ROLE = Buffer.from('role')
const CHOICES = Buffer.from('n')
const STREAM_OPTIONS = Buffer.from('stream_options')

const QUOTE = 0x22
const CLOSE_BRACKET = 0x5d
const LOWER_A = 0x61
const LOWER_Z = 0x7a
const UNDERSCORE = 0x5f
const BACKSLASH = 0x5c

/**
 * What the careful way finds in such a body, in a fraction of the time; null where only that can tell. Whatever is not
 * surely in order is left to it: what it accepts and how it refuses is said there alone.
 */
export function glanceAtChat(bytes: Buffer): RequestOutline | null {
  const seen = new SeenMembers()
  if (!isWalked(bytes, start => walkObject(start, seen.walk))) return null
  const { model, modelSpan, hasMessages, stream } = seen
  if (model === null || modelSpan === null || !hasMessages) return null
  return {
    endpoint: 'chat',
    model,
    stream: stream === true,
    modelSpan,
    choices: 1,
    units: null,
    contentType: null,
    asksForUsage: false,
    usageEdit: stream === true ? askForUsage(bytes, null) : null,
  }
}

/** The members that count, each of which may stand once. */
class SeenMembers {
  model: string | null = null
  modelSpan: Span | null = null
  hasMessages = false
  stream: boolean | null = null

  readonly walk: WalkMember = member => {
    const { valueStart, depth } = member
    if (!isPlainName(member) || isRare(member)) return UNSURE
    if (isNamed(member, MESSAGES)) return this.#walkMessages(valueStart, depth)
    const end = walkValue(valueStart, depth)
    if (end === UNSURE) return UNSURE
    if (isNamed(member, MODEL)) return this.#seeModel(valueStart, end) ? end : UNSURE
    if (isNamed(member, STREAM)) return this.#seeStream(valueStart, end) ? end : UNSURE
    return end
  }

  #walkMessages(start: number, depth: number): number {
    if (this.hasMessages || byteAt(afterBlanks(start + 1)) === CLOSE_BRACKET) return UNSURE
    this.hasMessages = true
    return walkList(start, walkMessage, depth)
  }

  #seeModel(start: number, end: number): boolean {
    if (this.modelSpan !== null) return false
    this.modelSpan = { start, end }
    this.model = plainString(start, end)
    return this.model !== null
  }

  #seeStream(start: number, end: number): boolean {
    if (this.stream !== null) return false
    this.stream = isWord(start, end, 'true')
    return this.stream || isWord(start, end, 'false') || isWord(start, end, 'null')
  }
}

/** Seldom said, and more than a glance needs to understand. */
function isRare(member: WalkedMember): boolean {
  return isNamed(member, CHOICES) || isNamed(member, STREAM_OPTIONS)
}

/** A message has a role, and it is a text. */
function walkMessage(start: number, depth: number): number {
  let hasRole = false
  const end = walkObject(
    start,
    member => {
      const { nameStart, nameEnd, valueStart } = member
      if (isNamed(member, ROLE)) {
        if (byteAt(valueStart) !== QUOTE) return UNSURE
        hasRole = true
      }
      // Written with escapes, it could be another role.
      for (let at = nameStart; at < nameEnd; at++) if (byteAt(at) === BACKSLASH) return UNSURE
      return walkValue(valueStart, member.depth)
    },
    depth,
  )
  return hasRole ? end : UNSURE
}

/** A name that no parser takes for another: see `findAmbiguous`. */
function isPlainName({ nameStart, nameEnd }: WalkedMember): boolean {
  for (let at = nameStart; at < nameEnd; at++) {
    const byte = byteAt(at)
    if ((byte < LOWER_A || byte > LOWER_Z) && byte !== UNDERSCORE) return false
  }
  return true
}
