/** A service of its own process with an upstream, a model and a caller: what most tests of a whole process need. */
import { type AdminClient, makeCaller, makeModel, type NewCaller, signInAsAdmin } from './admin-client.ts'
import { type Books, readBooks } from './books.ts'
import { type GatewayProcess, spawnGateway } from './gateway.ts'
import { storesOf } from './stores.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'
import { startUpstream, type Upstream } from './upstream.ts'

/** Known by the same name upstream and to callers, so that bytes pass unchanged. */
export const SAME_NAME_MODEL = 'upstream-model'

export type SpawnedService = {
  readonly dataDir: string
  /** What a command needs to find the same stores. */
  readonly env: Readonly<Record<string, string>>
  readonly upstream: Upstream
  readonly caller: NewCaller
  readonly admin: AdminClient
  /** The process that serves now. */
  gateway(): GatewayProcess
  /** Starts the service again over the same data, after the process has ended. */
  startAgain(): Promise<GatewayProcess>
  /** The account's books; only while no process serves, or when nothing is in flight. */
  books(accountId?: string): Promise<Books>
  close(): Promise<void>
}

export async function startSpawnedService({
  postgres = undefined as string | undefined,
  env = {} as Readonly<Record<string, string>>,
  limits = { requests: 1_000_000, concurrency: 1_000 },
  credits = 1_000_000,
} = {}): Promise<SpawnedService> {
  const folder = await makeTemporaryFolder()
  const stores = await storesOf(folder.path, postgres)
  const upstream = await startUpstream()
  let gateway = await spawnGateway(folder.path, env)
  const admin = await signInAsAdmin(gateway.url)
  await makeModel(admin, SAME_NAME_MODEL, {
    routes: [{ baseUrl: upstream.baseUrl }],
    endpoints: ['chat', 'embeddings'],
  })
  const caller = await makeCaller(admin, { credits, limits })
  return {
    dataDir: folder.path,
    env: { GOLDWEIGHT_DATA_DIR: folder.path, ...stores.env },
    upstream,
    caller,
    admin,
    gateway: () => gateway,
    startAgain: async () => {
      gateway = await spawnGateway(folder.path, env)
      return gateway
    },
    books: async (accountId = caller.accountId) => {
      const storage = await stores.open()
      try {
        return await readBooks(storage, accountId)
      } finally {
        await storage.close()
      }
    },
    close: async () => {
      await gateway.end('SIGKILL')
      await upstream.close()
      await folder.remove()
    },
  }
}
