/** Where Redis is, and how to get in. */
export type RedisAddress = {
  readonly hosts: readonly RedisHost[]
  /** Whether the hosts are some of a Redis Cluster's. */
  readonly isCluster: boolean
  readonly tls: boolean
  readonly database: number
  readonly username: string | undefined
  readonly password: string | undefined
}

export type RedisHost = { readonly host: string; readonly port: number }

const DEFAULT_PORT = 6379
const PROTOCOLS = new Set(['redis:', 'rediss:'])

/**
 * Reads `redis://user:password@host:port/database`, or `rediss://…` for TLS. Several of them, separated by commas, are
 * nodes of one Redis Cluster, as is a single one with `?cluster=true`. null when it is none of these.
 */
export function parseRedisUrl(text: string): RedisAddress | null {
  const urls = text.split(',').map(part => URL.parse(part.trim()))
  const [first] = urls
  if (!first) return null
  const hosts: RedisHost[] = []
  for (const url of urls) {
    if (!url || !PROTOCOLS.has(url.protocol) || url.protocol !== first.protocol || url.hostname === '')
      return null
    hosts.push({ host: hostOf(url), port: url.port === '' ? DEFAULT_PORT : Number(url.port) })
  }
  const database = /^\/?(\d*)$/.exec(first.pathname)?.[1]
  if (database === undefined) return null
  const isCluster = urls.length > 1 || first.searchParams.get('cluster') === 'true'
  // A cluster has the one database 0.
  if (isCluster && Number(database) !== 0) return null
  return {
    hosts,
    isCluster,
    tls: first.protocol === 'rediss:',
    database: Number(database),
    username: decoded(first.username),
    password: decoded(first.password),
  }
}

/** The hosts as they may be shown: without anything that opens them. */
export function describeRedis({ hosts }: RedisAddress): string {
  return hosts.map(({ host, port }) => `${host}:${port}`).join(', ')
}

/** An IPv6 address stands in brackets in a URL, and without them everywhere else. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

function decoded(part: string): string | undefined {
  return part === '' ? undefined : decodeURIComponent(part)
}
