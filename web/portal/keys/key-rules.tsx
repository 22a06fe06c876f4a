import type { Key } from '#web/api/client/keys.ts'
import { formatCredits } from '#web/ui/credits.ts'

const NAMED_MODELS = 3

/** What the operator has narrowed a key down to, beside its limits: to some models, to a sum it may spend. */
export function KeyRules({ apiKey }: { readonly apiKey: Pick<Key, 'models' | 'spending_cap'> }) {
  const { models, spending_cap: cap } = apiKey
  if (models === null && cap === null) return null
  return (
    <span className="mt-1 flex flex-col text-xs font-normal text-muted">
      {models !== null && <span className="break-words">{modelsText(models)}</span>}
      {cap !== null && <span>{`At most ${formatCredits(cap.credits)} credits a ${cap.period}`}</span>}
    </span>
  )
}

function modelsText(models: readonly string[]): string {
  const named = models.slice(0, NAMED_MODELS).join(', ')
  const more = models.length - NAMED_MODELS
  return more > 0 ? `Only ${named} and ${more} more` : `Only ${named}`
}
