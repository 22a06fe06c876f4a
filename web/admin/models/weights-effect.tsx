import type { WeightsPreview } from '#web/api/admin/models.ts'
import { formatCredits } from '#web/ui/credits.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { formatCount, formatShare, formatWeight } from '#web/ui/numbers.ts'
import { Stat } from '#web/ui/stat.tsx'
import { type AllWeights, changedWeights } from './weight-lines.ts'

const LEFT_OUT = {
  tiers: 'what longer requests weigh',
  cache_write_1h: 'what cache writes for an hour weigh',
  units: 'units beside tokens',
} as const

export type WeightsEffectProps = {
  readonly preview: WeightsPreview
  readonly before: AllWeights
  readonly after: AllWeights
}

/** What a change of weights changes, and what it would have meant over the last 30 days. */
export function WeightsEffect({ preview, before, after }: WeightsEffectProps) {
  const { requests, recent, leaves_out: leftOut } = preview
  return (
    <section aria-label="Effect of the change" className="rounded-md border border-line bg-sunken p-4">
      <Changes before={before} after={after} />
      {requests === 0 && (
        <p className="mt-4 text-sm text-muted">
          Nothing was asked of this model in the last 30 days, so there is nothing to compare.
        </p>
      )}
      {leftOut.length > 0 && recent && (
        <>
          <p className="mt-5 mb-3 text-sm text-muted">
            {countOf(recent.requests)} since <DateTime value={recent.from} />, each reckoned as it is charged:
          </p>
          <Comparison effect={recent} />
        </>
      )}
      {requests > 0 && (
        <>
          <p className="mt-5 mb-3 text-sm text-muted">
            {countOf(requests)} of the last 30 days
            {leftOut.length > 0 &&
              `, without ${leftOut.map(name => LEFT_OUT[name]).join(', ')}: sums of usage do not tell them apart`}
            :
          </p>
          <Comparison effect={preview} />
        </>
      )}
      <div className="mt-5">
        <Notice>Requests that are in flight keep the weights with which they were taken in.</Notice>
      </div>
    </section>
  )
}

const countOf = (requests: number) => (requests === 1 ? '1 request' : `${formatCount(requests)} requests`)

function Changes({ before, after }: Pick<WeightsEffectProps, 'before' | 'after'>) {
  const changes = changedWeights(before, after)
  if (changes.length === 0) return <p className="text-sm font-medium">No weight changes.</p>
  return (
    <>
      <h3 className="mb-2 text-sm font-medium">What changes</h3>
      <ul className="flex flex-col gap-1 text-sm">
        {changes.map(({ label, before: from, after: to }) => (
          <li key={label} className="figures">
            {label}: {show(from)} → {show(to)}
            {from !== undefined && to !== undefined && from > 0 && (
              <span className="text-muted"> ({signedShare(to - from, from)})</span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

const show = (weight: number | undefined) => (weight === undefined ? 'none' : formatWeight(weight))

type Effect = Pick<WeightsPreview, 'current' | 'proposed' | 'difference'>

function Comparison({ effect: { current, proposed, difference } }: { readonly effect: Effect }) {
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3">
      <Stat label="By today's weights">{current === null ? '–' : formatCredits(current)}</Stat>
      <Stat label="By the new weights">{formatCredits(proposed)}</Stat>
      <Stat
        label="Difference"
        note={current !== null && current > 0 ? signedShare(difference ?? 0, current) : undefined}
      >
        {difference === null ? '–' : formatCredits(difference, { signed: true })}
      </Stat>
    </dl>
  )
}

/** A change in percent: `+12.5%`. */
function signedShare(difference: number, whole: number): string {
  const share = formatShare(Math.abs(difference), whole)
  return difference < 0 ? `−${share}` : `+${share}`
}
