import type { z } from 'zod'
import type { user } from '#contract/accounts.ts'
import { rfc3339 } from '#lib/clock.ts'
import type { UserRow } from '#storage/tables.ts'

export type UserRecord = z.infer<typeof user>

/** Everything of a user but the hash of the password. */
export const USER_COLUMNS = ['id', 'account_id', 'email', 'name', 'status', 'created_at'] as const

/** A user as administrators see it. */
export function toUserRecord(row: Omit<UserRow, 'password_hash' | 'email_verified_at'>): UserRecord {
  return {
    id: row.id,
    object: 'user',
    email: row.email,
    name: row.name,
    account_id: row.account_id,
    status: row.status,
    created_at: rfc3339(row.created_at),
  }
}
