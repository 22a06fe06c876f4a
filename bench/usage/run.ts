/** Measures how fast pages are over much usage, and whether reading them slows requests: see ../README.md. */
import { parseArgs } from 'node:util'
import { requestPage } from '#contract/usage.ts'
import { type Children, createChildren } from '../children.ts'
import { startDriver } from '../driver-process.ts'
import { choosePlacement } from '../placement.ts'
import { startStores } from '../stores.ts'
import { fileOf, portOf } from '../targets.ts'
import { RARE_KEY_ID } from './fill.ts'
import { type FilledGateway, startFilledGateway } from './filled-gateway.ts'
import { BOUND_MS, keepReading, measurePages, measureRequests } from './measure.ts'
import { type PageCall, pageCalls } from './pages.ts'
import { openVisitor, type Visitor } from './visitor.ts'

const USAGE = `npm run bench:usage -- [options]
  --records N      requests on record (5000000)
  --days N         over so many days (90)
  --distributed    over Postgres and Redis instead of the embedded stores
  --rate N         requests per second to the model, without and with readers of pages (200)
  --seconds N      of each of the two (20)
  --help`

const print = (text: string) => void process.stdout.write(`${text}\n`)

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      records: { type: 'string', default: '5000000' },
      days: { type: 'string', default: '90' },
      distributed: { type: 'boolean', default: false },
      rate: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '20' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return print(USAGE)
  const children = createChildren(choosePlacement())
  try {
    await measureAll(children, {
      records: Number(values.records),
      days: Number(values.days),
      isDistributed: values.distributed,
      rate: Number(values.rate),
      seconds: Number(values.seconds),
    })
  } finally {
    await children.stopAll()
  }
}

type Plan = {
  readonly records: number
  readonly days: number
  readonly isDistributed: boolean
  readonly rate: number
  readonly seconds: number
}

async function measureAll(
  children: Children,
  { rate, seconds, isDistributed, ...fill }: Plan,
): Promise<void> {
  const startedMs = performance.now()
  const progress = (text: string) =>
    print(`${((performance.now() - startedMs) / 1000).toFixed(0).padStart(5)} s  ${text}`)
  const upstream = children.start({
    name: 'upstream',
    role: 'load',
    nodeArguments: [fileOf('upstream.ts'), '50'],
    speaks: true,
  })
  const stores = isDistributed ? await startStores(children) : null
  const upstreamPort = await portOf(upstream)
  const gateway = await startFilledGateway(children, { ...fill, stores, upstreamPort, progress })
  const visitor = await openVisitor(gateway.origin, gateway.credentials)
  const calls = await listCalls(gateway, visitor)
  const slow = await measurePages(visitor, calls, print)
  const load = { rate, seconds, upstreamPid: upstream.pid, driver: startDriver(children) }
  const measure = async (what: string) => print(`${what.padEnd(42)}${await measureRequests(gateway, load)}`)
  print('')
  await measure(`${rate} requests a second alone`)
  let isOver = false
  const readers = [calls, [...calls].reverse()].map(order => keepReading(visitor, order, () => isOver))
  await measure('the same while two readers turn pages')
  isOver = true
  const read = (await Promise.all(readers)).reduce((sum, count) => sum + count, 0)
  const leaving = new AbortController()
  const download = visitor.download({ path: '/client/requests.csv', realm: 'client' }, leaving.signal)
  await measure('the same while requests are exported')
  leaving.abort()
  print(`${read} pages were read meanwhile, and ${((await download) / 1e6).toFixed(1)} MB of a file.`)
  const verdict =
    slow.length === 0 ? `Every page answered within ${BOUND_MS} ms.` : `Too slow: ${slow.join(' ')}`
  print(verdict)
  if (slow.length > 0) process.exitCode = 1
}

async function listCalls({ account }: FilledGateway, visitor: Visitor): Promise<PageCall[]> {
  const newest = await visitor.json({ realm: 'client', path: '/client/requests?status=succeeded' })
  return pageCalls({
    accountId: account.id,
    keyId: account.keyId,
    rareKeyId: RARE_KEY_ID,
    requestId: requestPage.parse(newest).data[0]?.id ?? '',
    nowMs: Date.now(),
  })
}

// Leaving runs the exit handler that ends what was started.
process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))

try {
  await main()
} catch (error) {
  process.stderr.write(`The run is void. ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
