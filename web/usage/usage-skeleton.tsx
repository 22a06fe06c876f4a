import { Skeleton } from '#web/ui/skeleton.tsx'
import { MEASURES } from './usage-search.ts'

/** Holds the place of the figures and their chart. */
export function UsageSkeleton() {
  return (
    <div role="status" aria-label="Loading usage">
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-6">
        {MEASURES.map(measure => (
          <Skeleton key={measure} className="h-23" />
        ))}
      </div>
      <Skeleton className="mt-6 h-100" />
    </div>
  )
}
