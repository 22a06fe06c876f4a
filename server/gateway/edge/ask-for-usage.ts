import type { Edit, MemberSpan } from '#lib/json-scan.ts'

/** What a stream was asked for beside its pieces, and where that stands. */
export type GivenOptions = { readonly options: object | null; readonly span: MemberSpan }

/** Streams report their usage only when asked: https://platform.openai.com/docs/api-reference/chat/create (2026-11). */
export function askForUsage(bytes: Buffer, given: GivenOptions | null): Edit {
  const value = JSON.stringify({ ...given?.options, include_usage: true })
  if (given) return { start: given.span.valueStart, end: given.span.valueEnd, text: value }
  const afterBrace = bytes.indexOf('{') + 1
  return { start: afterBrace, end: afterBrace, text: `"stream_options":${value},` }
}
