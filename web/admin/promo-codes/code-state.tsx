import type { PromoCode } from '#web/api/admin/promo-codes.ts'
import { Badge } from '#web/ui/badge.tsx'

/** Whether a code can be redeemed, as of now. */
export function CodeState({ code }: { readonly code: PromoCode }) {
  const { enabled, expires_at, max_uses, uses } = code
  if (!enabled) return <Badge>Switched off</Badge>
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return <Badge>Over</Badge>
  if (max_uses !== null && uses >= max_uses) return <Badge>Used up</Badge>
  return <Badge tone="good">Active</Badge>
}
