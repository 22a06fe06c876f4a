import { FIELD_VALUE, TOKEN } from '#lib/http-field.ts'
import type { TransportRequest } from '../transport.ts'

/** Fields that frame the request or speak of its connection: written here alone. */
const OURS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const PATH = /^\/[\x21-\x7e]*$/

/** A request that must not go out as it is: a defect of whoever made it. */
export class UnsendableRequest extends Error {
  override readonly name = 'UnsendableRequest'
}

type Written = { readonly host: string; readonly path: string; readonly text: string }

/** What has been written for lists of fields that serve many requests. */
const writtenFor = new WeakMap<readonly string[], Written>()

/** The head of a request, one byte a character. Throws UnsendableRequest for what could be read as more than one head. */
export function requestHead(
  { path, headers, ownHeaders }: TransportRequest,
  host: string,
  bodyBytes: number,
): string {
  let written = writtenFor.get(headers)
  if (written === undefined || written.path !== path || written.host !== host) {
    written = { host, path, text: writeStart(path, host) + writeFields(headers) }
    writtenFor.set(headers, written)
  }
  const own = ownHeaders === undefined ? '' : writeFields(ownHeaders)
  return `${written.text}${own}content-length: ${bodyBytes}\r\n\r\n`
}

function writeStart(path: string, host: string): string {
  if (!PATH.test(path)) throw new UnsendableRequest('a path with characters that none may have')
  return `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`
}

/** Names that were looked at: there are few, for callers can't make any up. */
const goodNames = new Set<string>()

function isGoodName(name: string): boolean {
  if (goodNames.has(name)) return true
  if (!TOKEN.test(name) || OURS.has(name.toLowerCase())) return false
  goodNames.add(name)
  return true
}

function writeFields(namesAndValues: readonly string[]): string {
  let text = ''
  for (let at = 0; at < namesAndValues.length; at += 2) {
    const name = namesAndValues[at] ?? ''
    const value = namesAndValues[at + 1] ?? ''
    if (!isGoodName(name)) throw new UnsendableRequest(`a field named ${name}`)
    if (!FIELD_VALUE.test(value)) throw new UnsendableRequest(`a value of ${name} that no field can carry`)
    text += `${name}: ${value}\r\n`
  }
  return text
}
