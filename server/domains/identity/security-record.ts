import type { Audit } from '#domains/audit/audit.ts'
import type { Statement } from '#storage/storage.ts'
import { isNews, type NewsEvent, newsLetter } from './letters.ts'
import type { Mailer } from './mailer.ts'
import type { Subject } from './people.ts'

/** What people change about how they sign in, or what happens to it. */
export type SecurityEvent = NewsEvent | 'end_session' | 'end_other_sessions' | 'change_name' | 'verify_email'

/**
 * The writes that belong into the unit of what happens to somebody's sign-in: of an administrator an audit entry, and a
 * mail about what they should know of where the service sends mail.
 */
export type SecurityRecord = (
  person: Subject & { readonly email: string },
  event: SecurityEvent,
  after?: object,
) => readonly Statement[]

export type SecurityRecordParts = { readonly audit: Audit; readonly mailer: Mailer | null }

export function createSecurityRecord({ audit, mailer }: SecurityRecordParts): SecurityRecord {
  return ({ realm, id, email }, event, after) => {
    const actor = { type: 'administrator', id } as const
    const target = { type: 'administrator', id }
    const entry =
      realm === 'admin' ? [audit.entry({ actor, action: `administrator.${event}`, target, after })] : []
    if (!mailer || !isNews(event)) return entry
    const letter = newsLetter(event, mailer.pageUrl(realm, 'forgotten-password'))
    return [...entry, mailer.send(email, { kind: event, letter })]
  }
}
