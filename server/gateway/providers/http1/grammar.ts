/** The parts of HTTP's grammar that both directions share (RFC 9110, section 5). */

const TOKEN_CHARS = "!#$%&'*+\\-.^_`|~0-9A-Za-z"

/** A field's name, a word of a list. */
export const TOKEN = new RegExp(`^[${TOKEN_CHARS}]+$`)

/** Visible characters, spaces and tabs: none that could end the field, or the message. */
export const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** The size line of a chunk, without its end: a size of at most 52 bits, and extensions, which mean nothing to us. */
export const CHUNK_SIZE_LINE = new RegExp(
  `^([0-9A-Fa-f]{1,13})(?:;[${TOKEN_CHARS}]+(?:=(?:[${TOKEN_CHARS}]+|"[\\t\\x20!\\x23-\\x5b\\x5d-\\x7e]*"))?)*$`,
)

export const CR = 0x0d
export const LF = 0x0a

/** An answer that breaks the rules of HTTP/1.1, or bends them where two readers could disagree on its meaning. */
export class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer'
}
