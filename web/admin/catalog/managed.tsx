import { useQuery } from '@tanstack/react-query'
import { type ManagedKind, managedItemsQuery } from '#web/api/admin/managed.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** Whether the configuration file manages a thing, as far as that is known by now. */
export function useManaged(kind: ManagedKind): (itemId: string) => boolean {
  const { data } = useQuery(managedItemsQuery)
  const ids = new Set(data?.data.filter(item => item.kind === kind).map(item => item.item_id))
  return itemId => ids.has(itemId)
}

export function ManagedBadge() {
  return <Badge tone="gold">Configuration file</Badge>
}

/** Says why something can't be changed here. */
export function ManagedNotice({ what }: { readonly what: string }) {
  return (
    <div className="mb-6">
      <Notice tone="gold" title="The configuration file manages this">
        {what} is changed in that file, and can not be edited here.
      </Notice>
    </div>
  )
}
