import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from './button.tsx'

export type PaginationProps = {
  /** Read aloud: 'Pages of keys'. */
  readonly label: string
  readonly hasNewer: boolean
  readonly hasOlder: boolean
  readonly onNewer: () => void
  readonly onOlder: () => void
  readonly pending?: boolean
}

/** Through a list that only knows what comes before and after: its pages have no numbers. */
export function Pagination({ label, hasNewer, hasOlder, onNewer, onOlder, pending }: PaginationProps) {
  if (!hasNewer && !hasOlder) return null
  return (
    <nav aria-label={label} aria-busy={pending} className="mt-4 flex justify-end gap-3">
      <Button size="small" disabled={!hasNewer} focusableWhenDisabled onClick={onNewer}>
        <ChevronLeft className="size-4" aria-hidden="true" />
        Newer
      </Button>
      <Button size="small" disabled={!hasOlder} focusableWhenDisabled onClick={onOlder}>
        Older
        <ChevronRight className="size-4" aria-hidden="true" />
      </Button>
    </nav>
  )
}
