import type { Provider } from '#web/api/admin/providers.ts'
import { Badge } from '#web/ui/badge.tsx'

/** Whether a provider is asked at all. */
export function ProviderState({ provider }: { readonly provider: Pick<Provider, 'enabled'> }) {
  return provider.enabled ? <Badge tone="good">In service</Badge> : <Badge tone="warn">Paused</Badge>
}
