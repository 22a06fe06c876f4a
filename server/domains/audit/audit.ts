import type { z } from 'zod'
import type { auditEntry } from '#contract/sessions.ts'
import { type Clock, rfc3339 } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import { mapPage, type Page, type PageRequest } from '#lib/page.ts'
import { readNewest } from '#storage/read-newest.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { AuditEntryRow } from '#storage/tables.ts'

/** Who made a change. */
export type Actor =
  | { readonly type: 'administrator'; readonly id: string }
  | { readonly type: 'system'; readonly id: null }

export type AuditedChange = {
  readonly actor: Actor
  /** What was done, such as `account.create`. */
  readonly action: string
  readonly target: { readonly type: string; readonly id: string }
  /** The target as its record shows it, without any secret; left out where there was none. */
  readonly before?: unknown
  readonly after?: unknown
}

export type AuditEntryRecord = z.infer<typeof auditEntry>

/** What is left out does not matter; times are RFC 3339 or dates, `to` is not part of the span. */
export type AuditFilter = {
  readonly actorId?: string | undefined
  readonly action?: string | undefined
  readonly targetType?: string | undefined
  readonly targetId?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export type Audit = {
  /** The write that puts a change on the log: it belongs into the unit that makes the change. */
  entry(change: AuditedChange): Statement
  /** The log, newest first: all of it, or what fits the filter. */
  list(page: PageRequest, filter?: AuditFilter): Promise<Page<AuditEntryRecord>>
}

export function createAudit({ storage, clock }: { storage: Storage; clock: Clock }): Audit {
  return {
    entry: ({ actor, action, target, before, after }) => {
      const now = clock.now()
      const row: AuditEntryRow = {
        id: newId('aud', now),
        actor_type: actor.type,
        actor_id: actor.id,
        action,
        target_type: target.type,
        target_id: target.id,
        before_json: before === undefined ? null : JSON.stringify(before),
        after_json: after === undefined ? null : JSON.stringify(after),
        created_at: now,
      }
      return { query: storage.db.insertInto('audit_entries').values(row), expectRows: 1 }
    },
    list: async (page, { actorId, action, targetType, targetId, from, to } = {}) => {
      let query = storage.db.selectFrom('audit_entries').selectAll()
      if (actorId !== undefined) query = query.where('actor_id', '=', actorId)
      if (action !== undefined) query = query.where('action', '=', action)
      if (targetType !== undefined) query = query.where('target_type', '=', targetType)
      if (targetId !== undefined) query = query.where('target_id', '=', targetId)
      if (from !== undefined) query = query.where('created_at', '>=', Date.parse(from))
      if (to !== undefined) query = query.where('created_at', '<', Date.parse(to))
      return mapPage(await readNewest(query, page), toRecord)
    },
  }
}

function toRecord(row: AuditEntryRow): AuditEntryRecord {
  return {
    id: row.id,
    object: 'audit_entry',
    actor: { type: row.actor_type, id: row.actor_id },
    action: row.action,
    target: { type: row.target_type, id: row.target_id },
    before: fromJson(row.before_json),
    after: fromJson(row.after_json),
    created_at: rfc3339(row.created_at),
  }
}

function fromJson(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}
