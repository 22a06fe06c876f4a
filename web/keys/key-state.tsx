import type { ApiKeyRecord } from '#contract/keys.ts'
import { Badge } from '#web/ui/badge.tsx'

/** Whether a key works, as of now. */
export function keyState({
  revoked_at,
  expires_at,
}: Pick<ApiKeyRecord, 'revoked_at' | 'expires_at'>): 'active' | 'revoked' | 'expired' {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active'
}

export function KeyState({ apiKey }: { readonly apiKey: ApiKeyRecord }) {
  switch (keyState(apiKey)) {
    case 'active':
      return <Badge tone="good">Active</Badge>
    case 'revoked':
      return <Badge>Revoked</Badge>
    case 'expired':
      return <Badge tone="warn">Expired</Badge>
  }
}
