import type { ApiKeyRecord } from '#contract/keys.ts'
import { Badge } from '#web/ui/badge.tsx'
import { DateTime } from '#web/ui/date-time.tsx'

/** Whether a key works, as of now. */
export function keyState({
  revoked_at,
  expires_at,
}: Pick<ApiKeyRecord, 'revoked_at' | 'expires_at'>): 'active' | 'revoked' | 'expired' {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active'
}

/** Whether a key works, and until when if that will end by itself. */
export function KeyState({ apiKey }: { readonly apiKey: ApiKeyRecord }) {
  switch (keyState(apiKey)) {
    case 'active':
      return (
        <span className="inline-flex flex-col items-start gap-1 max-sm:items-end">
          <Badge tone="good">Active</Badge>
          {apiKey.expires_at !== null && (
            <span className="text-xs text-muted">
              until <DateTime value={apiKey.expires_at} show="day" />
            </span>
          )}
        </span>
      )
    case 'revoked':
      return <Badge>Revoked</Badge>
    case 'expired':
      return <Badge tone="warn">Expired</Badge>
  }
}
