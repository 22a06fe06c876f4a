/** The quick way to what there is to know of an ordinary chat completion, straight from its bytes. */
import { readUsage } from '#gateway/metering/usage.ts'
import type { ReplyReading } from '#gateway/providers/read-reply.ts'
import {
  afterBlanks,
  isNamed,
  isWord,
  plainString,
  UNSURE,
  type WalkedMember,
  type WalkMember,
  walkObject,
  walkValue,
} from '#lib/json-walk.ts'

const MODEL = Buffer.from('model')
const CHOICES = Buffer.from('choices')
const USAGE = Buffer.from('usage')
const ERROR = Buffer.from('error')

const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b

type Place = { readonly start: number; readonly end: number }

/** What the careful way reads of such an answer, in a fraction of the time; null where only that can tell. */
export function glanceAtChatReply(bytes: Buffer, publicModel: string): ReplyReading | null {
  const seen = new SeenMembers()
  const end = walkObject(bytes, afterBlanks(bytes, 0), seen.walk)
  if (end === UNSURE || afterBlanks(bytes, end) !== bytes.length) return null
  if (!seen.hasChoices || seen.usage === null) return null
  const usage = readUsage(JSON.parse(bytes.toString('utf8', seen.usage.start, seen.usage.end)), 'chat')
  // Without a report the text is what counts.
  if (usage === null) return null
  const { modelPlace, model } = seen
  const edit =
    modelPlace === null || model === publicModel
      ? null
      : { start: modelPlace.start, end: modelPlace.end, text: JSON.stringify(publicModel) }
  return { kind: 'answer', edit, usage, unitCount: null, outputText: '' }
}

/** The members that count, each of which may stand once. */
class SeenMembers {
  hasChoices = false
  usage: Place | null = null
  modelPlace: Place | null = null
  model: string | null = null

  readonly walk: WalkMember = (bytes, member) => {
    const { valueStart, depth } = member
    const end = isWrittenPlainly(bytes, member) ? walkValue(bytes, valueStart, depth) : UNSURE
    if (end === UNSURE) return UNSURE
    return this.#isInOrder(bytes, member, end) ? end : UNSURE
  }

  #isInOrder(bytes: Buffer, member: WalkedMember, end: number): boolean {
    const { valueStart: start } = member
    if (isNamed(bytes, member, ERROR)) return isWord(bytes, start, end, 'null')
    if (isNamed(bytes, member, MODEL)) {
      const isFirst = this.modelPlace === null
      this.modelPlace = { start, end }
      this.model = plainString(bytes, start, end)
      return isFirst && this.model !== null
    }
    if (isNamed(bytes, member, USAGE)) {
      const isFirst = this.usage === null
      this.usage = { start, end }
      return isFirst && bytes[start] === OPEN_BRACE
    }
    if (!isNamed(bytes, member, CHOICES)) return true
    const isFirst = !this.hasChoices
    this.hasChoices = true
    return isFirst && bytes[start] === OPEN_BRACKET && bytes[afterBlanks(bytes, start + 1)] !== CLOSE_BRACKET
  }
}

/** A name with escapes could be any of those that count. */
function isWrittenPlainly(bytes: Buffer, { nameStart, nameEnd }: WalkedMember): boolean {
  for (let at = nameStart; at < nameEnd; at++) if (bytes[at] === BACKSLASH) return false
  return true
}
