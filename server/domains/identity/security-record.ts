import type { Audit } from '#domains/audit/audit.ts'
import type { Statement } from '#storage/storage.ts'
import type { Subject } from './people.ts'

/** What people change about how they sign in. */
export type SecurityEvent =
  | 'end_session'
  | 'end_other_sessions'
  | 'change_password'
  | 'change_name'
  | 'enable_two_factor'
  | 'disable_two_factor'
  | 'renew_recovery_codes'

/** The writes that belong into the unit of a change somebody makes to their own sign-in: the audit entry of an administrator. */
export type SecurityRecord = (person: Subject, event: SecurityEvent, after?: object) => readonly Statement[]

export function createSecurityRecord({ audit }: { readonly audit: Audit }): SecurityRecord {
  return ({ realm, id }, event, after) => {
    if (realm !== 'admin') return []
    const actor = { type: 'administrator', id } as const
    return [
      audit.entry({ actor, action: `administrator.${event}`, target: { type: 'administrator', id }, after }),
    ]
  }
}
