/** The part of the composition root that hands the administrators' routes what they are made of. */
import { createPreviewWeights } from '#domains/catalog/preview-weights.ts'
import { createReadHealth } from '#domains/provider-health/read-health.ts'
import type { Storage } from '#storage/storage.ts'
import { registerAdminRoutes } from './admin/admin-routes.ts'
import { registerConfigurationRoutes } from './admin/managed.ts'
import { registerModelRoutes } from './admin/models.ts'
import { registerOrderRoutes, registerPromoCodeRoutes } from './admin/orders.ts'
import { registerOverviewRoute } from './admin/overview.ts'
import { registerPackageRoutes } from './admin/packages.ts'
import { registerProviderHealthRoute } from './admin/provider-health.ts'
import { registerProviderModelRoutes } from './admin/provider-models.ts'
import { registerProviderRoutes } from './admin/providers.ts'
import { registerRestingRoutes } from './admin/resting-routes.ts'
import type { FaceParts } from './app.ts'
import { composeOverview } from './compose-overview.ts'
import type { HttpApp } from './http/frame.ts'

export function registerAdminFace(app: HttpApp, storage: Storage, face: FaceParts): void {
  const { domains, nodes, sales, gateway, register, options } = face
  const { config, secret } = options
  registerAdminRoutes(app, { ...domains, publicUrl: config.publicUrl, secret }, scope => {
    const sources = { ...domains, ...nodes, ...gateway, ...options, register, storage }
    registerOverviewRoute(scope, { readOverview: composeOverview(sources) })
    registerProviderRoutes(scope, domains)
    registerProviderHealthRoute(scope, { readHealth: createReadHealth(sources) })
    registerProviderModelRoutes(scope, { ...domains, ...gateway })
    registerRestingRoutes(scope, gateway)
    registerModelRoutes(scope, { ...domains, previewWeights: createPreviewWeights(domains) })
    registerPackageRoutes(scope, domains)
    registerOrderRoutes(scope, sales)
    registerConfigurationRoutes(scope, domains)
    registerPromoCodeRoutes(scope, sales)
  })
}
