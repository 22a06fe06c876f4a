import { formatWeight } from '#web/ui/numbers.ts'
import type { WeightChange } from './weight-lines.ts'

/** Weights with what they were and what they became. */
export function WeightChangeList({ changes }: { readonly changes: readonly WeightChange[] }) {
  return changes.map(({ label, before, after }) => (
    <li key={label} className="figures">
      {label}: {showWeight(before)} → {showWeight(after)}
    </li>
  ))
}

function showWeight(weight: number | undefined): string {
  return weight === undefined ? 'none' : formatWeight(weight)
}
