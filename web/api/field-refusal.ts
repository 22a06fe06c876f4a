import type { ApiError } from './api-error.ts'

/** A refusal that names a field of what was sent: `headers.Host: this header is set by the gateway itself`. */
const NAMES_FIELD = /^([a-z_]\w*(?:\.[^:\s]+)*): (.+)$/s

export type RefusableFields = {
  /** A part of the value of one of them is told at the field, with its name. */
  readonly fields: readonly string[]
  /** Each part of their values has a field of its own, named by its path: `further_credentials.0.name`. */
  readonly lists: readonly string[]
}

/** The message of a refusal by the name of the field that it is about; null where it is about none of these. */
export function refusalOfField(
  error: Pick<ApiError, 'status' | 'message'>,
  { fields, lists }: RefusableFields,
): Readonly<Record<string, string>> | null {
  const [, path, reason] = (error.status === 400 && NAMES_FIELD.exec(error.message)) || []
  if (path === undefined || reason === undefined) return null
  const [name = '', ...part] = path.split('.')
  if (lists.includes(name)) return { [path]: asSentence(reason) }
  if (!fields.includes(name)) return null
  return { [name]: asSentence(part.length === 0 ? reason : `${part.join('.')}: ${reason}`) }
}

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
