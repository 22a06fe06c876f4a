/** The head of a request that is surely in order. */
export type GlancedHead = {
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Where the body begins, and how long it is. */
  readonly bodyStart: number
  readonly bodyBytes: number
}

const HEAD_END = Buffer.from('\r\n\r\n')
/** Node allows 16 KiB; who needs as much may go there. */
const MAX_HEAD_BYTES = 8 * 1024
const MAX_FIELDS = 100

/** A path without a query or anything that is encoded. */
const REQUEST_LINE = /POST (\/[A-Za-z0-9/_-]*) HTTP\/1\.1\r\n/y
/** Neither part can give back what it took and match all the same, so a line is read in one go. */
const FIELD_LINE = /([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t\x20-\x7e\x80-\xff]*)\r\n/y
const DIGITS = /^[0-9]{1,9}$/

/** Fields that frame a message or speak of its connection, beside the ones that are read here. */
const LEFT_TO_NODE: ReadonlySet<string> = new Set([
  'expect',
  'http2-settings',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Reads the head of an ordinary POST request with a body of known length, at the beginning of what has arrived. Gives null
 * for all that is not whole, not surely valid, or that two readers could understand differently: node's server decides
 * over that. Every name stands at most once, so no rule about joining them is needed.
 */
export function glanceAtHead(bytes: Buffer): GlancedHead | null {
  const end = bytes.indexOf(HEAD_END)
  if (end === -1 || end > MAX_HEAD_BYTES) return null
  const text = bytes.toString('latin1', 0, end + 2)
  REQUEST_LINE.lastIndex = 0
  const url = REQUEST_LINE.exec(text)?.[1]
  if (url === undefined) return null
  const headers = readFields(text, REQUEST_LINE.lastIndex)
  if (headers === null) return null
  const { host, connection, 'content-length': length } = headers
  if (host === undefined || length === undefined || !DIGITS.test(length)) return null
  if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return null
  return { url, headers, bodyStart: end + HEAD_END.length, bodyBytes: Number(length) }
}

function readFields(text: string, from: number): Record<string, string> | null {
  const headers: Record<string, string> = {}
  let at = from
  for (let fields = 0; at < text.length; fields++) {
    FIELD_LINE.lastIndex = at
    const line = FIELD_LINE.exec(text)
    if (line === null || fields === MAX_FIELDS) return null
    const [whole, name = '', value = ''] = line
    const lowerName = name.toLowerCase()
    // What every object has, such as `constructor`, counts as there already.
    if (headers[lowerName] !== undefined || LEFT_TO_NODE.has(lowerName)) return null
    headers[lowerName] = trimBlanks(value)
    at += whole.length
  }
  return headers
}

const SPACE = 0x20
const TAB = 0x09

/** The value without the spaces and tabs around it, which are no part of it (RFC 9110, section 5.5). */
function trimBlanks(value: string): string {
  let start = 0
  let end = value.length
  while (start < end && isBlank(value, start)) start++
  while (end > start && isBlank(value, end - 1)) end--
  return value.slice(start, end)
}

function isBlank(value: string, at: number): boolean {
  const code = value.charCodeAt(at)
  return code === SPACE || code === TAB
}
