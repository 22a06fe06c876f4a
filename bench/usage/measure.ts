import type { Driver } from '../driver-process.ts'
import type { FilledGateway } from './filled-gateway.ts'
import type { PageCall } from './pages.ts'
import type { Visitor } from './visitor.ts'

/** What a page may take. */
export const BOUND_MS = 300
const RUNS = 5
const PATIENCE_SECONDS = 60

export type Print = (text: string) => void

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Reads every page a few times, and says how long each took; gives those that were too slow. */
export async function measurePages(
  visitor: Visitor,
  calls: readonly PageCall[],
  print: Print,
): Promise<string[]> {
  const slow: string[] = []
  print(`\n${'page'.padEnd(17)}${'first'.padStart(8)}${'median'.padStart(8)}${'kB'.padStart(8)}  request`)
  for (const call of calls) {
    const first = await visitor.read(call)
    const others: number[] = []
    for (let run = 0; run < RUNS; run++) others.push((await visitor.read(call)).ms)
    const ms = median(others)
    if (Math.max(first.ms, ms) > BOUND_MS) slow.push(call.path)
    const figures = [first.ms, ms, first.bytes / 1000].map(value => value.toFixed(0).padStart(8))
    print(`${call.page.padEnd(17)}${figures.join('')}  ${call.path}`)
  }
  return slow
}

/** Reads pages one after the other until it is told to stop; gives how many it has read. */
export async function keepReading(
  visitor: Visitor,
  calls: readonly PageCall[],
  isOver: () => boolean,
): Promise<number> {
  let read = 0
  while (!isOver()) {
    const call = calls[read % calls.length]
    if (call) await visitor.read(call)
    read++
  }
  return read
}

export type Load = {
  readonly rate: number
  readonly seconds: number
  readonly upstreamPid: number
  readonly driver: Driver
}

/** The latency of requests to a model at a steady rate, as a line. */
export async function measureRequests(
  { child, target }: Pick<FilledGateway, 'child' | 'target'>,
  load: Load,
): Promise<string> {
  const { rate: requestsPerSecond, seconds, upstreamPid, driver } = load
  const job = {
    kind: 'open-loop',
    target,
    upstreamPid,
    warmUpSeconds: 10,
    connections: 32,
    requestsPerSecond,
    seconds,
  } as const
  const result = await driver.run(job, [child], 10 + seconds + PATIENCE_SECONDS)
  const { latencyMedianMs, latencyP99Ms, cpuPercent } = result
  const figures = `median ${latencyMedianMs.toFixed(2)} ms, p99 ${latencyP99Ms.toFixed(2)} ms`
  return `${figures}, gateway ${cpuPercent?.toFixed(0) ?? '–'} % of a core`
}
