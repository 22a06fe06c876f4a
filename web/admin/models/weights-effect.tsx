import type { WeightsPreview } from '#web/api/admin/models.ts'
import { formatCredits } from '#web/ui/credits.ts'
import { Notice } from '#web/ui/notice.tsx'
import { formatCount } from '#web/ui/numbers.ts'
import { Stat } from '#web/ui/stat.tsx'

const LEFT_OUT = {
  tiers: 'tiers of longer requests',
  cache_write_1h: 'cache writes kept for an hour',
} as const

/** What a change of weights would have meant over the last 30 days. */
export function WeightsEffect({ preview }: { readonly preview: WeightsPreview }) {
  const { requests, current, proposed, difference, leaves_out: leftOut } = preview
  return (
    <section aria-label="Effect of the change" className="rounded-md border border-line bg-sunken p-4">
      <p className="mb-4 text-sm text-muted">
        The {formatCount(requests)} requests of the last 30 days would have come to:
      </p>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3">
        <Stat label="By today's weights">{current === null ? '–' : formatCredits(current)}</Stat>
        <Stat label="By the new weights">{formatCredits(proposed)}</Stat>
        <Stat label="Difference">
          {difference === null ? '–' : formatCredits(difference, { signed: true })}
        </Stat>
      </dl>
      {leftOut.length > 0 && (
        <p className="mt-4 text-sm text-muted">
          Reckoned by the base weights: sums of usage do not tell{' '}
          {leftOut.map(name => LEFT_OUT[name]).join(' and ')} apart.
        </p>
      )}
      <div className="mt-4">
        <Notice>Requests that are in flight keep the weights with which they were taken in.</Notice>
      </div>
    </section>
  )
}
