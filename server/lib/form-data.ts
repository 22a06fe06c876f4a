/**
 * Finds the parts of multipart/form-data in its bytes (RFC 7578), so that one field's value can be replaced and all else
 * stays as it was sent.
 */

export type FormPart = {
  readonly name: string
  /** null for a field that is no file. */
  readonly filename: string | null
  /** The first byte of its content, and the one after the last. */
  readonly start: number
  readonly end: number
}

const BOUNDARY = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i
const DISPOSITION = /^content-disposition:[ \t]*form-data[ \t]*;(.*)$/i
/** A parameter in quotes, or one without. */
const PARAMETER = /[ \t]*([a-z]+\*?)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))[ \t]*(?:;|$)/iy

const CRLF = '\r\n'
const END_OF_HEADERS = Buffer.from('\r\n\r\n')
/** A form of more parts is refused. */
export const MAX_PARTS = 1000
const MAX_HEADER_BYTES = 16 * 1024

/** The boundary that a content type names; null where it is none of form data. */
export function boundaryOf(contentType: string): string | null {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? []
  return quoted ?? plain ?? null
}

/** The parts in their order; null for bytes that are no well-formed form data. */
export function scanForm(bytes: Buffer, boundary: string): FormPart[] | null {
  const delimiter = Buffer.from(`${CRLF}--${boundary}`)
  const opening = delimiter.subarray(CRLF.length)
  if (!bytes.subarray(0, opening.length).equals(opening)) return null
  const parts: FormPart[] = []
  let at = opening.length
  while (!startsWith(bytes, at, '--')) {
    if (!startsWith(bytes, at, CRLF) || parts.length === MAX_PARTS) return null
    const headersEnd = bytes.indexOf(END_OF_HEADERS, at)
    if (headersEnd === -1 || headersEnd - at > MAX_HEADER_BYTES) return null
    const start = headersEnd + END_OF_HEADERS.length
    // The delimiter's own line end may be the one that ends the headers of an empty part.
    const end = bytes.indexOf(delimiter, start - CRLF.length)
    const part = end === -1 ? null : readPart(bytes.toString('utf8', at + CRLF.length, headersEnd))
    if (part === null) return null
    parts.push({ ...part, start, end: Math.max(start, end) })
    at = end + delimiter.length
  }
  return parts
}

function startsWith(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text
}

/** What the headers of a part call it; null where that can't be told for certain. */
function readPart(headers: string): Pick<FormPart, 'name' | 'filename'> | null {
  const dispositions = headers.split(CRLF).flatMap(line => DISPOSITION.exec(line)?.[1] ?? [])
  const [disposition] = dispositions
  if (disposition === undefined || dispositions.length > 1) return null
  const parameters = readParameters(disposition)
  const name = parameters?.get('name')
  // Parsers differ in how they read these: what one of them takes for another field must not be served unseen.
  if (name === undefined || name.includes('\\') || parameters?.has('name*')) return null
  return { name, filename: parameters?.get('filename') ?? parameters?.get('filename*') ?? null }
}

function readParameters(text: string): Map<string, string> | null {
  const parameters = new Map<string, string>()
  PARAMETER.lastIndex = 0
  while (PARAMETER.lastIndex < text.length) {
    const found = PARAMETER.exec(text)
    const name = found?.[1]?.toLowerCase()
    if (!found || name === undefined || parameters.has(name)) return null
    parameters.set(name, found[2] ?? found[3] ?? '')
  }
  return parameters
}
