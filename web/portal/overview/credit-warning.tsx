import { Link } from '@tanstack/react-router'
import type { Me } from '#web/api/client/session.ts'
import { Notice } from '#web/ui/notice.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'

/** Says what follows when the credits of an account that had some end, or are about to. */
export function CreditWarning({ account }: { readonly account: Me['account'] }) {
  if (account.credit_status === 'active' || account.quota === 0) return null
  const isOut = account.credit_status === 'exhausted'
  return (
    <div className="mt-5">
      <Notice tone={isOut ? 'bad' : 'warn'}>
        {isOut
          ? 'Your credits are used up: requests are refused until there are more. '
          : 'Your credits are running low. When they are used up, requests are refused. '}
        <Link to="/credits" className={textLinkClasses}>
          Get credits
        </Link>
      </Notice>
    </div>
  )
}
