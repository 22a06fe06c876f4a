import { STATUS_CODES } from 'node:http'
import { FIELD_VALUE, TOKEN } from '#lib/http-field.ts'
import type { AnswerFields } from '#server/http/client-exchange.ts'

/** Names that were found to be some: they are written in the sources, so there are not many. */
const names = new Set<string>()

/** An answer that must not go out as it is: a defect of whoever made it. */
export class UnsendableAnswer extends Error {
  override readonly name = 'UnsendableAnswer'
}

export type AnswerHead = {
  readonly status: number
  readonly fields: AnswerFields
  readonly isChunked: boolean
  /** For how long the connection is kept for a next request; null where it is closed. */
  readonly keepAliveSeconds: number | null
}

/** Writes a head, one byte a character, with the fields that node adds, in node's order. Throws UnsendableAnswer. */
export function writeAnswerHead({ status, fields, isChunked, keepAliveSeconds }: AnswerHead): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`
  for (let at = 0; at < fields.length; at += 2) {
    const name = String(fields[at])
    const value = fields[at + 1]
    if (!names.has(name)) checkName(name)
    // No answer may be split by what an upstream or a caller has said.
    if (typeof value === 'string' && !FIELD_VALUE.test(value))
      throw new UnsendableAnswer(`a value of ${name} that no field can carry`)
    text += `${name}: ${value}\r\n`
  }
  text += `Date: ${currentDate()}\r\n`
  text +=
    keepAliveSeconds === null
      ? 'Connection: close\r\n'
      : `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n`
  return isChunked ? `${text}Transfer-Encoding: chunked\r\n\r\n` : `${text}\r\n`
}

function checkName(name: string): void {
  if (!TOKEN.test(name)) throw new UnsendableAnswer(`a field named ${name}`)
  names.add(name)
}

let dateSecond = 0
let dateText = ''

/** The date as answers carry it, written once a second. */
function currentDate(): string {
  const nowMs = Date.now()
  const second = Math.floor(nowMs / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    dateText = new Date(nowMs).toUTCString()
  }
  return dateText
}
