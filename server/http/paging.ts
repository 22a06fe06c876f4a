import { refusals, type ServiceError } from '#contract/errors.ts'
import type { PageQuery } from '#contract/primitives.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Page, PageRequest } from '#lib/page.ts'

/** Positions are identifiers or sequence numbers of ours; whatever else a cursor holds was not made here. */
const POSITION = /^[a-z0-9_]{1,100}$/

/** The part of a list that a query asks for; 400 when its cursor is none that we gave out. */
export function toPageRequest({ limit, cursor }: PageQuery): Outcome<PageRequest, ServiceError> {
  if (cursor === undefined) return accepted({ limit, after: null })
  const after = Buffer.from(cursor, 'base64url').toString('latin1')
  return POSITION.test(after)
    ? accepted({ limit, after })
    : refused(refusals.invalid('cursor: is none that this service gave out'))
}

/** A page as replies show it. The cursor is opaque: what is inside may change with any release. */
export function pageReply<Item>({ items, next }: Page<Item>): {
  object: 'list'
  data: Item[]
  next_cursor: string | null
} {
  return {
    object: 'list',
    data: [...items],
    next_cursor: next === null ? null : Buffer.from(next, 'latin1').toString('base64url'),
  }
}
