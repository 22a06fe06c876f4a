import { modelWeights, unitWeights } from '#contract/usage.ts'
import type { AuditEntry } from '#web/api/admin/audit.ts'
import { type AllWeights, changedWeights, type WeightChange } from './weight-lines.ts'

/** A change of what a model weighs, as the audit log tells of it. */
export type RecordedChange = { readonly entry: AuditEntry; readonly weights: readonly WeightChange[] }

/** Those of a model's entries on the audit log that changed what it weighs, in the order of the log: newest first. */
export function recordedChanges(entries: readonly AuditEntry[]): RecordedChange[] {
  return entries.flatMap(entry => {
    const weights = changedWeights(weightsIn(entry.before), weightsIn(entry.after))
    return weights.length === 0 ? [] : [{ entry, weights }]
  })
}

/** The weights that an entry tells of; none where it tells of none. */
function weightsIn(record: AuditEntry['before']): AllWeights {
  if (typeof record !== 'object' || record === null) return { weights: null, unit_weights: null }
  const { weights, unit_weights } = record as Record<string, unknown> // an object may have any members
  return {
    weights: modelWeights.safeParse(weights).data ?? null,
    unit_weights: unitWeights.safeParse(unit_weights).data ?? null,
  }
}
