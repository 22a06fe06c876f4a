import { formatCount } from './numbers.ts'

export type LimitMeterProps = {
  readonly used: number
  readonly limit: number
  /** What the limit is of: 'in 60 s'. */
  readonly note?: string
}

/** How much of a limit is in use: the numbers, and a bar that says the same to the eye. */
export function LimitMeter({ used, limit, note }: LimitMeterProps) {
  const share = Math.min(1, used / limit)
  return (
    <span className="inline-flex min-w-24 flex-col gap-1">
      <span className="figures whitespace-nowrap">
        {formatCount(used)} <span className="text-muted">of {formatCount(limit)}</span>
        {note !== undefined && <span className="text-muted"> {note}</span>}
      </span>
      <span className="h-1 overflow-hidden rounded-full bg-line" aria-hidden="true">
        <span
          className={share >= 0.9 ? 'block h-full bg-warn' : 'block h-full bg-gold-fill'}
          style={{ width: `${share * 100}%` }}
        />
      </span>
    </span>
  )
}
