/** The grammar of HTTP's fields (RFC 9110, section 5), the same for all that reads and writes them. */

/** What a token is made of, for the brackets of a regular expression. */
export const TOKEN_CHARS = "!#$%&'*+\\-.^_`|~0-9A-Za-z"

/** What a value is made of: visible characters, spaces and tabs, none that could end the field, or the message. */
export const VALUE_CHARS = '\\t\\x20-\\x7e\\x80-\\xff'

/** A field's name, a word of a list. */
export const TOKEN = new RegExp(`^[${TOKEN_CHARS}]+$`)

/** A field's value, which may be empty. */
export const FIELD_VALUE = new RegExp(`^[${VALUE_CHARS}]*$`)

export const CR = 0x0d
export const LF = 0x0a
