import type { Account } from '#web/api/admin/accounts.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** When and by whom an account was closed, and what can still be done. */
export function ClosedNotice({ account }: { readonly account: Account }) {
  const { closed_at: closedAt, closed_by: closedBy, remaining } = account
  if (closedAt === null) return null
  return (
    <div className="mb-6">
      <Notice tone="warn" title="This account is closed">
        <p>
          Since <DateTime value={closedAt} />
          {closedBy === null ? ', by a command' : `, by ${closedBy.name}`}. Its keys are revoked, and its
          users can not sign in.
        </p>
        {remaining > 0 && (
          <p className="mt-1">
            What is left stays on its books. If you pay it out, take it from the balance by an adjustment
            below zero, with a note that says how it was paid.
          </p>
        )}
      </Notice>
    </div>
  )
}
