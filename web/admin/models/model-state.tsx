import type { Model } from '#web/api/admin/models.ts'
import { Badge } from '#web/ui/badge.tsx'

/** Whether a model can be called, and if not, what it lacks. */
export function ModelState({ model }: { readonly model: Model }) {
  if (model.weights === null) return <Badge tone="warn">No weights</Badge>
  if (!model.enabled) return <Badge>Not enabled</Badge>
  if (model.routes.length === 0) return <Badge tone="warn">No route</Badge>
  return model.deprecated ? <Badge tone="warn">Deprecated</Badge> : <Badge tone="good">Enabled</Badge>
}
