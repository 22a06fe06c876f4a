import { classNames } from './class-names.ts'

/** Holds the place of something that is on its way, at its size, so that nothing jumps when it comes. */
export function Skeleton({ className }: { readonly className?: string }) {
  return (
    <span aria-hidden="true" className={classNames('block animate-pulse rounded-md bg-line/70', className)} />
  )
}

/** Lines of a table that is on its way. */
export function SkeletonRows({ rows, label }: { readonly rows: number; readonly label: string }) {
  return (
    <div role="status" aria-label={label} className="flex flex-col">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move
        <div key={index} className="flex h-13 items-center gap-6 border-b border-line last:border-0">
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-4 w-1/5" />
          <Skeleton className="ml-auto h-4 w-1/6" />
        </div>
      ))}
    </div>
  )
}
