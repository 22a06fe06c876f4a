import { z } from 'zod'

/** A moment as RFC 3339 text in UTC, such as `2026-11-21T08:30:00.000Z`. */
export const timestamp = z.iso.datetime({ offset: true }).describe('RFC 3339 in UTC')

/** A moment as callers may give it: with any offset, or a day in UTC by its date alone. */
export const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()], {
  error: 'must be a moment such as 2026-11-21T08:00:00Z, or a date such as 2026-11-21',
})

/** A number of credits with up to six decimals. */
export const credits = z.number().describe('credits, up to six decimals')

/** No control characters, which one store cuts off and another refuses, and no half of a surrogate pair. */
const PLAIN_TEXT = /^[^\p{Cc}\p{Cs}]*$/u

/** A name that people read, on one line: trimmed, one to 200 characters. */
export const displayName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(PLAIN_TEXT, 'must be plain text on one line')

/** An e-mail address; compared without regard to case. */
export const emailAddress = z.email().max(320)

/** A password as it is chosen. The upper bound keeps the hashing of it cheap. */
export const newPassword = z.string().min(10).max(1024)

/** A password as it is tried: only its type is checked, so that the answer never tells more than right or wrong. */
export const triedPassword = z.string().min(1).max(1024)

/** Something with a name, as others that it belongs to show it. */
export const named = z.object({ id: z.string(), name: z.string() })

/** One page of a list, newest first. */
export function page<Item extends z.ZodType>(item: Item) {
  return z.object({ object: z.literal('list'), data: z.array(item), next_cursor: z.string().nullable() })
}

/** What every list takes: how many, and from where on. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().max(200).optional(),
})

/** Narrows a list down to what contains a text, in any case of letters. */
export const searchText = z.string().trim().min(1).max(200).optional()

export type PageQuery = z.infer<typeof pageQuery>
