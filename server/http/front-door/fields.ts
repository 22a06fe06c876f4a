/** How many numbers are kept of a field. */
const MARKS = 4

const LOWER_CASE = 0x20
const SPACE = 0x20
const TAB = 0x09
const ZERO = 0x30

/** A name that is looked for: its bytes, and the number that they come to. */
export type FieldName = { readonly bytes: Uint8Array; readonly hash: number }

/** Names that were looked for before: they are written in the sources, so there are not many. */
const known = new Map<string, FieldName>()

/** A name of lower-case letters, digits and dashes. */
export function fieldName(name: string): FieldName {
  const before = known.get(name)
  if (before !== undefined) return before
  const bytes = Buffer.from(name)
  const made = { bytes, hash: bytes.reduce(addToHash, 0) }
  known.set(name, made)
  return made
}

/** The fields of a head: found by their names, and only made text of when somebody asks. */
export class Fields {
  readonly #bytes: Buffer
  /** Of each field: a number for its name, where the name begins and ends, and where the value ends. */
  readonly #marks: number[] = []
  /** All of the head as text, once somebody has asked. */
  #text: string | null = null

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Notes a field, and gives the number of its name; null where the name may have been noted before. */
  mark(start: number, nameEnd: number, valueEnd: number): number | null {
    const bytes = this.#bytes
    let hash = 0
    for (let at = start; at < nameEnd; at++) hash = addToHash(hash, bytes[at] ?? 0)
    const marks = this.#marks
    for (let at = 0; at < marks.length; at += MARKS) if (marks[at] === hash) return null
    marks.push(hash, start, nameEnd, valueEnd)
    return hash
  }

  has(name: FieldName): boolean {
    return this.#indexOf(name) !== -1
  }

  /** The value of a field, without the blanks around it, which are no part of it (RFC 9110, section 5.5). */
  find(name: FieldName): string | undefined {
    const index = this.#indexOf(name)
    if (index === -1) return undefined
    const marks = this.#marks
    this.#text ??= this.#bytes.toString('latin1', 0, marks.at(-1))
    return this.#text.slice(this.#valueStart(index), this.#valueEnd(index))
  }

  /** The value of a field that is nothing but so many digits at most; -1 where it is not. */
  findNumber(name: FieldName, maxDigits: number): number {
    const index = this.#indexOf(name)
    if (index === -1) return -1
    const start = this.#valueStart(index)
    const end = this.#valueEnd(index)
    // Of nothing but blanks, the end comes before the start.
    if (start >= end || end - start > maxDigits) return -1
    let number = 0
    for (let at = start; at < end; at++) {
      const digit = (this.#bytes[at] ?? 0) - ZERO
      if (digit < 0 || digit > 9) return -1
      number = number * 10 + digit
    }
    return number
  }

  #valueStart(index: number): number {
    const end = this.#marks[index + 3] ?? 0
    let start = (this.#marks[index + 2] ?? 0) + 1
    while (start < end && isBlank(this.#bytes[start])) start++
    return start
  }

  #valueEnd(index: number): number {
    const colon = this.#marks[index + 2] ?? 0
    let end = this.#marks[index + 3] ?? 0
    while (end - 1 > colon && isBlank(this.#bytes[end - 1])) end--
    return end
  }

  /** Where the marks of the field are; -1 where there is none of this name. */
  #indexOf({ hash, bytes }: FieldName): number {
    const marks = this.#marks
    for (let index = 0; index < marks.length; index += MARKS) {
      if (marks[index] === hash && this.#isNamed(index, bytes)) return index
    }
    return -1
  }

  #isNamed(index: number, name: Uint8Array): boolean {
    const start = this.#marks[index + 1] ?? 0
    if ((this.#marks[index + 2] ?? 0) - start !== name.length) return false
    for (let at = 0; at < name.length; at++) {
      if (((this.#bytes[start + at] ?? 0) | LOWER_CASE) !== name[at]) return false
    }
    return true
  }
}

/** Letters count alike in both cases. Two names may come to one number: that is for whoever compares numbers to bear. */
function addToHash(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + (byte | LOWER_CASE)) | 0
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB
}
