/** The composition root: the only file that builds parts and hands them to each other. */
import { fileURLToPath } from 'node:url'
import { createAccountCredits } from '#domains/accounts/account-credits.ts'
import { createAccounts } from '#domains/accounts/accounts.ts'
import { startBalanceNotices } from '#domains/accounts/balance-notices.ts'
import { createUsers } from '#domains/accounts/users.ts'
import { createAudit } from '#domains/audit/audit.ts'
import { createExpiringCredits } from '#domains/billing/expiring-credits.ts'
import { findBalance } from '#domains/billing/find-balance.ts'
import { createLedger } from '#domains/billing/ledger.ts'
import { createCatalog } from '#domains/catalog/catalog.ts'
import { createModels } from '#domains/catalog/models.ts'
import { createPackages } from '#domains/catalog/packages.ts'
import { createProviderModels } from '#domains/catalog/provider-models.ts'
import { createProviderProbes } from '#domains/catalog/provider-probes.ts'
import { createProviders } from '#domains/catalog/providers.ts'
import { createManagedItems } from '#domains/configuration/managed-items.ts'
import { createIdempotencyClaims } from '#domains/idempotency/idempotency-claims.ts'
import { createCallerDirectory } from '#domains/keys/caller-directory.ts'
import { createKeyUseRecorder } from '#domains/keys/key-use-recorder.ts'
import { createKeys } from '#domains/keys/keys.ts'
import { createLiveUse } from '#domains/keys/live-use.ts'
import type { NodeRegister } from '#domains/nodes/node-register.ts'
import { createHealthRecorder } from '#domains/provider-health/health-recorder.ts'
import { createSettings } from '#domains/settings/settings.ts'
import { createRequestRecords } from '#domains/usage/request-records.ts'
import { createUsage } from '#domains/usage/usage.ts'
import { createUsageUpkeep } from '#domains/usage/usage-upkeep.ts'
import { createGatewayEdge } from '#gateway/edge/gateway-edge.ts'
import { BodyBudget } from '#gateway/edge/read-body.ts'
import { CROSS_ORIGIN_HEADERS } from '#gateway/edge/respond.ts'
import { listGatewayRoutes } from '#gateway/edge/routes.ts'
import { KeepAlive } from '#gateway/keep-alive.ts'
import { createOffThread } from '#gateway/off-thread/off-thread.ts'
import { buildProviders } from '#gateway/providers/build-providers.ts'
import { Latencies } from '#gateway/routing/latencies.ts'
import { listResting } from '#gateway/routing/list-resting.ts'
import { RouteRests } from '#gateway/routing/route-rests.ts'
import { createCipher } from '#lib/cipher.ts'
import type { Clock } from '#lib/clock.ts'
import type { Storage } from '#storage/storage.ts'
import type { Log } from '#telemetry/log.ts'
import { registerAdminFace } from './admin-face.ts'
import { composeKeySpending } from './compose-key-spending.ts'
import { composeNodeRegister } from './compose-node-register.ts'
import { connectNodes, type Nodes } from './compose-nodes.ts'
import { createSales, type Sales } from './compose-sales.ts'
import type { Config } from './config.ts'
import { registerDiscoveryRoutes } from './discovery/discovery-routes.ts'
import { drain } from './drain.ts'
import { createHttpApp } from './http/frame.ts'
import { registerHealthRoutes } from './http/health.ts'
import { routesOf } from './http/registered-routes.ts'
import { createHttpServer } from './http-server.ts'
import { createIdentityParts } from './identity-parts.ts'
import { startHousekeeping } from './jobs/housekeeping.ts'
import { startSalesRounds } from './jobs/sales-rounds.ts'
import { openStore } from './open-store.ts'
import { registerLiveRoute } from './portal/live.ts'
import { registerClientOrderRoutes } from './portal/orders.ts'
import { registerClientPackageRoute } from './portal/packages.ts'
import { registerPlaygroundRoute } from './portal/playground.ts'
import { registerPortalRoutes } from './portal/portal-routes.ts'
import { registerReferenceRoutes } from './reference/reference-routes.ts'
import { collectRoutes } from './reference/route-collector.ts'
import { Traffic } from './traffic.ts'
import { registerWebApplications } from './web/web-applications.ts'
import { registerStripeWebhook } from './webhooks/stripe-webhook.ts'

const DRAIN_PATIENCE_MS = 60_000
const WEB_BUILD = fileURLToPath(new URL('../web/dist', import.meta.url))

export type AppOptions = {
  readonly config: Pick<
    Config,
    'databaseUrl' | 'dataDir' | 'redis' | 'publicUrl' | 'trustProxy' | 'stripe' | 'mail' | 'oidc'
  >
  readonly secret: string
  readonly clock: Clock
  readonly log: Log
  /** Whether something is still being set up: until it is done, no load balancer should send requests. */
  readonly isStarting?: () => boolean
  /** How long a stream to a caller may be silent before the gateway says something on it. */
  readonly maxSilenceMs?: number
}

export type App = Awaited<ReturnType<typeof createApp>>

/** Opens the store and builds everything that serves; nothing listens yet. */
export async function createApp(options: AppOptions) {
  const storage = await openStore(options.config, options.log)
  const nodes = await connectNodes({ ...options, storage, redis: options.config.redis })
  const domains = createDomains(storage, nodes, options)
  await domains.catalog.load()
  await domains.claims.freeAbandoned()
  const sales = createSales({ ...domains, ...options, storage, stripe: options.config.stripe })
  const gateway = createGateway(storage, { domains, nodes, options })
  const traffic = new Traffic()
  const register = composeNodeRegister({
    ...gateway,
    ...nodes,
    storage,
    clock: options.clock,
    server: () => app.server,
  })
  const app = createHttpFace(storage, { domains, nodes, sales, gateway, register, traffic, options })
  await app.ready()
  // A beat that fails is missed; the next one comes in a few seconds.
  app.server.once('listening', () => register.beat().catch(() => {}))
  const housekeeping = startHousekeeping({ ...domains, log: options.log })
  const notices =
    domains.mailer && startBalanceNotices({ ...domains, ...options, storage, mailer: domains.mailer })
  const rounds = startSalesRounds({ ...domains, ...sales, log: options.log })

  return {
    domains,
    sales,
    storage,
    server: app.server,
    routes: routesOf(app),
    /** From now on new requests are refused, and the node is not ready; what is in flight goes on. */
    refuseRequests: gateway.beginDraining,
    /** Lets what is in flight finish, settles it, and closes everything. */
    async close(patienceMs = DRAIN_PATIENCE_MS): Promise<void> {
      gateway.beginDraining()
      await drain(app.server, { inFlight: gateway.inFlight, traffic, patienceMs })
      await housekeeping.stop()
      await rounds.stop()
      await app.close()
      await gateway.close()
      nodes.close()
      domains.catalog.close()
      domains.claims.close()
      await notices?.settled()
      await domains.closeIdentity()
      await domains.keyUse.close().catch(() => {})
      await domains.health.close().catch(() => {})
      await register.close().catch(() => {})
      await storage.close()
    },
  }
}

export type Domains = ReturnType<typeof createDomains>

/** Everything that is no HTTP, for the service and for commands beside it. */
export function createDomains(
  storage: Storage,
  { changes }: Pick<Nodes, 'changes'>,
  { config, secret, clock, log }: AppOptions,
) {
  const cipher = createCipher(secret)
  const audit = createAudit({ storage, clock })
  const ledger = createLedger({ storage, clock })
  const expiringCredits = createExpiringCredits({ storage, clock, ledger, log })
  const settings = createSettings({ storage, clock, changes, audit })
  const catalog = createCatalog({ storage, changes, cipher, log })
  const base = { storage, clock, changes, audit }
  const signing = createIdentityParts({ ...base, config, cipher, settings, log })
  const { identity } = signing
  return {
    ...identity,
    signUp: signing.signUp,
    oidc: signing.oidc,
    features: signing.features,
    mailer: signing.mailer,
    closeIdentity: signing.close,
    audit,
    ledger,
    expiringCredits,
    settings,
    catalog,
    accounts: createAccounts({ ...base, ...identity, settings }),
    credits: createAccountCredits({ ...base, ledger, expiringCredits }),
    users: createUsers({ ...base, ...identity }),
    keys: createKeys({ ...base, settings }),
    requests: createRequestRecords({ storage }),
    usage: createUsage({ storage, clock }),
    usageUpkeep: createUsageUpkeep({ storage, settings, clock }),
    providers: createProviders({ storage, clock, cipher, audit, catalog }),
    models: createModels({ storage, clock, audit, catalog }),
    packages: createPackages({ storage, clock, audit, catalog }),
    callers: createCallerDirectory({ storage, clock, changes, settings }),
    keyUse: createKeyUseRecorder({ storage, clock }),
    health: createHealthRecorder({ storage, clock }),
    claims: createIdempotencyClaims({ storage, clock, cipher, log }),
    managedItems: createManagedItems({ storage }),
  }
}

type GatewayParts = { readonly domains: Domains; readonly nodes: Nodes; readonly options: AppOptions }

function createGateway(storage: Storage, { domains, nodes, options }: GatewayParts) {
  const { clock, log } = options
  const { engine } = nodes
  domains.ledger.onBalance(engine.learnBalance)
  const offThread = createOffThread()
  const rests = new RouteRests({ ...nodes, ...domains, clock, log })
  const { providers, listingOf, close: closeProviders } = buildProviders({ offThread })
  const probes = createProviderProbes(listingOf)
  const edge = createGatewayEdge({
    engine,
    keySpending: composeKeySpending({ ...domains, storage, clock, changes: nodes.changes }),
    isStoreAvailable: () => storage.isAvailable(),
    findBalance: accountId => findBalance(storage, accountId),
    findCaller: domains.callers.find,
    findOwnCaller: domains.callers.findOwn,
    keyUsed: domains.keyUse.used,
    settings: domains.settings,
    currentCatalog: domains.catalog.current,
    ledger: domains.ledger,
    claims: domains.claims,
    bodies: new BodyBudget(),
    random: Math.random,
    providers,
    rests,
    health: domains.health,
    latencies: new Latencies(),
    keepAlive: new KeepAlive(options.maxSilenceMs),
    offThread,
    clock,
    log,
  })
  return {
    ...edge,
    probes,
    providerModels: createProviderModels({ ...domains, probes, clock }),
    readUse: engine.readUse,
    listResting: () => listResting(domains.catalog.current(), rests, clock),
    isDegraded: (modelId: string): boolean => {
      const routes = domains.catalog.current().models.get(modelId)?.routes ?? []
      return routes.every(route => rests.isFailing(route))
    },
    async close(): Promise<void> {
      engine.close()
      await closeProviders()
      await offThread.close()
    },
  }
}

export type FaceParts = {
  readonly domains: Domains
  readonly nodes: Nodes
  readonly sales: Sales
  readonly gateway: ReturnType<typeof createGateway>
  readonly register: NodeRegister
  readonly traffic: Traffic
  readonly options: AppOptions
}

function createHttpFace(storage: Storage, face: FaceParts) {
  const { domains, nodes, sales, gateway, traffic, options } = face
  const { config, secret, log } = options
  const app = createHttpApp({
    log,
    trustProxy: config.trustProxy,
    serverFactory: framework => createHttpServer({ serveFirst: gateway.serve, framework, traffic }),
  })
  const routes = collectRoutes(app)
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/v1/')) reply.headers(CROSS_ORIGIN_HEADERS)
  })
  const parts = { ...domains, publicUrl: config.publicUrl, secret }
  const { isStarting = () => false } = options
  const published = () => domains.catalog.current().published
  registerHealthRoutes(app, { ...nodes, storage, isStarting, isDraining: gateway.isDraining })
  registerDiscoveryRoutes(app, {
    published,
    isDegraded: gateway.isDegraded,
    limiter: nodes.limiter,
  })
  registerPortalRoutes(app, parts, guarded => {
    registerClientOrderRoutes(guarded, { ...parts, ...sales })
    registerPlaygroundRoute(guarded, gateway)
    registerClientPackageRoute(guarded, { published })
    registerLiveRoute(guarded, { liveUse: createLiveUse({ ...domains, readUse: gateway.readUse }) })
  })
  registerAdminFace(app, storage, face)
  registerWebApplications(app, { folder: WEB_BUILD })
  registerReferenceRoutes(app, {
    publicUrl: config.publicUrl,
    routes: () => [...listGatewayRoutes(), ...routes],
  })
  registerStripeWebhook(app, { payments: sales.stripePayments })
  return app
}
