/** The quick way to what there is to know of an ordinary chat completion, straight from its bytes. */
import { readUsage } from '#gateway/metering/usage.ts'
import type { ReplyReading } from '#gateway/providers/read-reply.ts'
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
  if (!isWalked(bytes, start => walkObject(start, seen.walk))) return null
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

  readonly walk: WalkMember = member => {
    const { valueStart, depth } = member
    const end = isWrittenPlainly(member) ? walkValue(valueStart, depth) : UNSURE
    if (end === UNSURE) return UNSURE
    return this.#isInOrder(member, end) ? end : UNSURE
  }

  #isInOrder(member: WalkedMember, end: number): boolean {
    const { valueStart: start } = member
    if (isNamed(member, ERROR)) return isWord(start, end, 'null')
    if (isNamed(member, MODEL)) {
      const isFirst = this.modelPlace === null
      this.modelPlace = { start, end }
      this.model = plainString(start, end)
      return isFirst && this.model !== null
    }
    if (isNamed(member, USAGE)) {
      const isFirst = this.usage === null
      this.usage = { start, end }
      return isFirst && byteAt(start) === OPEN_BRACE
    }
    if (!isNamed(member, CHOICES)) return true
    const isFirst = !this.hasChoices
    this.hasChoices = true
    return isFirst && byteAt(start) === OPEN_BRACKET && byteAt(afterBlanks(start + 1)) !== CLOSE_BRACKET
  }
}

/** A name with escapes could be any of those that count. */
function isWrittenPlainly({ nameStart, nameEnd }: WalkedMember): boolean {
  for (let at = nameStart; at < nameEnd; at++) if (byteAt(at) === BACKSLASH) return false
  return true
}
