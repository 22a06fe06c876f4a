import type { FastifyReply, FastifyRequest } from 'fastify'
import { managedItemList } from '#contract/configuration.ts'
import { refusals } from '#contract/errors.ts'
import { type ConfigurableDomains, readCurrentItems } from '#domains/configuration/current-items.ts'
import { exportConfiguration } from '#domains/configuration/export.ts'
import type { ManagedItems } from '#domains/configuration/managed-items.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import type { ManagedKind } from '#storage/tables.ts'
import { OWNERS_ONLY } from './roles.ts'

const KINDS: ReadonlyMap<string, ManagedKind> = new Map([
  ['/admin/providers/:id', 'provider'],
  ['/admin/models/*', 'model'],
  ['/admin/packages/:id', 'package'],
])

const TRIAL = '/admin/providers/test'
const CHANGING = new Set(['PATCH', 'DELETE'])

/**
 * A `preHandler` hook: 409 for a change of what the configuration file manages, and for trying it with other values: its
 * stored secrets would go where the file never sent them.
 */
export function refuseManaged(managedItems: Pick<ManagedItems, 'isManaged'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (!CHANGING.has(request.method) && request.routeOptions.url !== TRIAL) return
    for (const { kind, id } of findTargets(request)) {
      if (!(await managedItems.isManaged(kind, id))) continue
      const message = `The configuration file manages ${kind} ${id}; change it there`
      return sendError(reply, refusals.conflict(message))
    }
  }
}

function findTargets(request: FastifyRequest): { kind: ManagedKind; id: string }[] {
  const url = request.routeOptions.url ?? ''
  if (url === '/admin/settings') {
    // Checked against the settings' schema before this hook runs.
    return Object.keys(request.body as object).map(id => ({ kind: 'setting', id }))
  }
  if (url === TRIAL) {
    // Checked likewise.
    const { provider_id: id } = request.body as { readonly provider_id?: string }
    return id === undefined ? [] : [{ kind: 'provider', id }]
  }
  const kind = KINDS.get(url)
  // Each of these routes has one parameter, which is the id.
  const [id] = Object.values(request.params as Record<string, string>)
  return kind === undefined || id === undefined ? [] : [{ kind, id }]
}

export type ConfigurationRouteParts = ConfigurableDomains & { readonly managedItems: ManagedItems }

/** What the configuration file manages, and the running service as such a file. */
export function registerConfigurationRoutes(scope: HttpApp, parts: ConfigurationRouteParts): void {
  scope.get('/admin/managed-items', { schema: { response: { 200: managedItemList } } }, async () => ({
    object: 'list' as const,
    data: (await parts.managedItems.list()).map(({ kind, name, item_id }) => ({ kind, name, item_id })),
    next_cursor: null,
  }))

  scope.get('/admin/configuration', { config: OWNERS_ONLY }, async (_request, reply) =>
    reply
      .type('application/yaml; charset=utf-8')
      .header('content-disposition', 'attachment; filename="goldweight.yaml"')
      .send(exportConfiguration(await readCurrentItems(parts))),
  )
}
