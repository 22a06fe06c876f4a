import { SLICE_PERCENT } from './core-slices.ts'
import type { ClosedLoopResult } from './driver/jobs.ts'
import type { Figures, Results } from './measurements.ts'
import type { Plan } from './plan.ts'
import { TARGET_NAMES, type TargetName } from './targets.ts'

/** How a figure is set beside the one of another target. */
type Comparison =
  | { readonly how: 'ratio' | 'difference'; readonly to: TargetName }
  /** The figure stands for itself. */
  | null

type Row = {
  readonly label: string
  readonly decimals: number
  readonly compare: Comparison
  /** Medians over the rounds; null where the system did not tell. */
  readonly values: ReadonlyMap<TargetName, number | null>
}

type Section = { readonly title: string; readonly rows: readonly Row[] }

const LABEL_WIDTH = 34
const CELL_WIDTH = 24

const toBare: Comparison = { how: 'ratio', to: 'bare' }
const overBare: Comparison = { how: 'difference', to: 'bare' }
const overDirect: Comparison = { how: 'difference', to: 'direct' }

function median(values: readonly (number | null)[]): number | null {
  const known = values.filter(value => value !== null).sort((a, b) => a - b)
  const [low, high] = [known[Math.ceil(known.length / 2) - 1], known[Math.floor(known.length / 2)]]
  return known.length < values.length || low === undefined || high === undefined ? null : (low + high) / 2
}

/** A function that makes rows out of one measurement's results. */
function rowsOf<Result>(results: Results<Result>) {
  return (label: string, pick: (result: Result) => number | null, compare: Comparison, decimals = 2): Row => {
    const values = new Map([...results].map(([name, rounds]) => [name, median(rounds.map(pick))]))
    return { label, decimals, compare, values }
  }
}

function closedLoopSection({ connections, results }: Figures['closedLoop'][number]): Section {
  const row = rowsOf(results)
  return {
    title: `Closed loop, ${connections} connections`,
    rows: [
      row('requests per second', result => result.requestsPerSecond, toBare, 0),
      row('CPU µs per request', result => result.cpuMicrosPerRequest, toBare, 1),
      row('driver and upstream, % of a core', result => result.loadCpuPercent, null, 0),
      row('all else, % of a core', result => result.othersCpuPercent, null, 0),
    ],
  }
}

function openLoopSection(results: NonNullable<Figures['openLoop']>, plan: Plan): Section {
  const row = rowsOf(results)
  const { requestsPerSecond, connections } = plan.openLoop
  return {
    title: `Open loop, ${requestsPerSecond} requests per second over ${connections} connections`,
    rows: [
      row('latency, median, ms', result => result.latencyMedianMs, overBare),
      row('latency, p99, ms', result => result.latencyP99Ms, overBare),
      row('of it the driver, median, ms', result => result.sendLatenessMedianMs, null),
      row('CPU, % of a core', result => result.cpuPercent, toBare, 1),
      row('all else, % of a core', result => result.othersCpuPercent, null, 0),
    ],
  }
}

function streamsSection(figures: Figures, results: NonNullable<Figures['streams']>, plan: Plan): Section {
  const row = rowsOf(results)
  const { streams, chunks, chunkIntervalMs } = plan.streams
  return {
    title: `${streams} streams of ${chunks} chunks, ${1000 / chunkIntervalMs} chunks per second each`,
    rows: [
      row('first chunk, median, ms', result => result.firstChunkMedianMs, overDirect),
      row('first chunk, p99, ms', result => result.firstChunkP99Ms, overDirect),
      row('delay of a chunk, median, ms', result => result.chunkDelayMedianMs, overDirect),
      row('delay of a chunk, p99, ms', result => result.chunkDelayP99Ms, overDirect),
      row('CPU µs per chunk', result => result.cpuMicrosPerChunk, toBare, 1),
      row('CPU, % of a core', result => result.cpuPercent, toBare, 0),
      row('driver and upstream, % of a core', result => result.loadCpuPercent, null, 0),
      row('all else, % of a core', result => result.othersCpuPercent, null, 0),
      { label: 'memory idle, MB', decimals: 0, compare: toBare, values: figures.idleRss },
      row('memory at its peak, MB', result => result.peakRssMegabytes, toBare, 0),
      row('whole run, s', result => result.seconds, null, 1),
    ],
  }
}

/** Nodes over servers are judged by the one that needs none. */
function nodesSection(results: NonNullable<Figures['nodes']>, plan: Plan): Section {
  const row = rowsOf(results)
  const toEmbedded: Comparison = { how: 'ratio', to: 'gateway' }
  return {
    title: `Over Postgres and Redis: closed loop, ${plan.closedLoop.connections[0]} connections`,
    rows: [
      row('requests per second', result => result.requestsPerSecond, toEmbedded, 0),
      row('CPU µs per request, all nodes', result => result.cpuMicrosPerRequest, toEmbedded, 1),
      row('CPU µs per request, the stores', result => result.storesCpuMicrosPerRequest, null, 1),
      row('driver and upstream, % of a core', result => result.loadCpuPercent, null, 0),
      row('all else, % of a core', result => result.othersCpuPercent, null, 0),
    ],
  }
}

function percentOfCore({ requestsPerSecond }: ClosedLoopResult, microsPerRequest: number | null) {
  return microsPerRequest === null ? null : (microsPerRequest * requestsPerSecond) / 10_000
}

/** Two nodes are judged by one. */
function scalingSection(results: NonNullable<Figures['scaling']>, plan: Plan): Section {
  const row = rowsOf(results)
  const toOne: Comparison = { how: 'ratio', to: 'slow-node' }
  return {
    title: `${SLICE_PERCENT} % of a core for each node, over Postgres and Redis: closed loop, ${plan.scaling.connections} connections`,
    rows: [
      row('requests per second', result => result.requestsPerSecond, toOne, 0),
      row('CPU µs per request, all nodes', result => result.cpuMicrosPerRequest, toOne, 1),
      row('CPU µs per request, the stores', result => result.storesCpuMicrosPerRequest, toOne, 1),
      row('nodes, % of a core', result => percentOfCore(result, result.cpuMicrosPerRequest), null, 0),
      row('periods held back, %', result => result.heldBackPercent, null, 0),
      row('stores, % of a core', result => percentOfCore(result, result.storesCpuMicrosPerRequest), null, 0),
      row('driver and upstream, % of a core', result => result.loadCpuPercent, null, 0),
      row('all else, % of a core', result => result.othersCpuPercent, null, 0),
    ],
  }
}

/** Translating is judged by what passing through costs. */
function translatedSection(results: NonNullable<Figures['translated']>, plan: Plan): Section {
  const row = rowsOf(results)
  const { streams, chunks, chunkIntervalMs } = plan.streams
  const toPassed: Comparison = { how: 'ratio', to: 'gateway' }
  const overPassed: Comparison = { how: 'difference', to: 'gateway' }
  return {
    title: `Translated: ${streams} streams of ${chunks} chunks, ${1000 / chunkIntervalMs} chunks per second each`,
    rows: [
      row('first chunk, median, ms', result => result.firstChunkMedianMs, overPassed),
      row('delay of a chunk, median, ms', result => result.chunkDelayMedianMs, overPassed),
      row('delay of a chunk, p99, ms', result => result.chunkDelayP99Ms, overPassed),
      row('CPU µs per chunk', result => result.cpuMicrosPerChunk, toPassed, 1),
      row('CPU, % of a core', result => result.cpuPercent, toPassed, 0),
      row('driver and upstream, % of a core', result => result.loadCpuPercent, null, 0),
      row('all else, % of a core', result => result.othersCpuPercent, null, 0),
      row('memory at its peak, MB', result => result.peakRssMegabytes, toPassed, 0),
      row('whole run, s', result => result.seconds, null, 1),
    ],
  }
}

/** The other dialects are judged by chat. */
function dialectsSection({ closedLoop, streams }: NonNullable<Figures['dialects']>, plan: Plan): Section {
  const whole = rowsOf(closedLoop)
  const streamed = rowsOf(streams)
  const { chunks, chunkIntervalMs } = plan.streams
  const toChat: Comparison = { how: 'ratio', to: 'gateway' }
  return {
    title: `Dialects passed through: closed loop, ${plan.closedLoop.connections[0]} connections; then ${plan.streams.streams} streams of ${chunks} chunks, ${1000 / chunkIntervalMs} per second each`,
    rows: [
      whole('requests per second', result => result.requestsPerSecond, toChat, 0),
      whole('CPU µs per request', result => result.cpuMicrosPerRequest, toChat, 1),
      whole('driver and upstream, % of a core', result => result.loadCpuPercent, null, 0),
      whole('all else, % of a core', result => result.othersCpuPercent, null, 0),
      streamed('streams: CPU µs per chunk', result => result.cpuMicrosPerChunk, toChat, 1),
      streamed('delay of a chunk, median, ms', result => result.chunkDelayMedianMs, toChat),
      streamed('all else, % of a core', result => result.othersCpuPercent, null, 0),
    ],
  }
}

function grouped(value: number, decimals: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
}

function cell(row: Row, name: TargetName): string {
  const value = row.values.get(name)
  if (value === undefined || value === null) return '–'
  const text = grouped(value, row.decimals)
  const base = row.compare === null ? null : row.values.get(row.compare.to)
  if (row.compare === null || base === undefined || base === null || row.compare.to === name) return text
  if (row.compare.how === 'ratio') return base === 0 ? text : `${text} (×${grouped(value / base, 2)})`
  const difference = value - base
  return `${text} (${difference < 0 ? '−' : '+'}${grouped(Math.abs(difference), row.decimals)})`
}

function sectionsOf(figures: Figures, plan: Plan): Section[] {
  const sections = figures.closedLoop.map(closedLoopSection)
  if (figures.nodes) sections.push(nodesSection(figures.nodes, plan))
  if (figures.scaling) sections.push(scalingSection(figures.scaling, plan))
  if (figures.openLoop) sections.push(openLoopSection(figures.openLoop, plan))
  if (figures.streams) sections.push(streamsSection(figures, figures.streams, plan))
  if (figures.translated) sections.push(translatedSection(figures.translated, plan))
  if (figures.dialects) sections.push(dialectsSection(figures.dialects, plan))
  return sections
}

/** The figures as a table: medians over the rounds, each beside what it is compared with. */
export function tableOf(figures: Figures, plan: Plan): string {
  const lines = sectionsOf(figures, plan).flatMap(({ title, rows }) => {
    const names = TARGET_NAMES.filter(name => rows.some(row => row.values.has(name)))
    const toLine = (label: string, cells: readonly string[]) =>
      label.padEnd(LABEL_WIDTH) + cells.map(text => text.padStart(CELL_WIDTH)).join('')
    return [
      '',
      title,
      toLine('', names),
      ...rows.map(row =>
        toLine(
          row.label,
          names.map(name => cell(row, name)),
        ),
      ),
    ]
  })
  const legend =
    'In brackets: × against the bare proxy; + and − for latency over the bare proxy, for streams over direct; translated streams and other dialects against the gateway that passes chat through.'
  return [...lines, '', legend].join('\n')
}

/** The figures of every round, for machines. */
export function jsonOf(figures: Figures, plan: Plan, circumstances: object): string {
  // Where the figures are written is nobody's business.
  const { jsonPath: _jsonPath, ...told } = plan
  const byTarget = <Value>(map: ReadonlyMap<TargetName, Value> | null) => map && Object.fromEntries(map)
  return JSON.stringify({
    ...circumstances,
    plan: told,
    closedLoop: figures.closedLoop.map(({ connections, results }) => ({
      connections,
      rounds: byTarget(results),
    })),
    nodes: byTarget(figures.nodes),
    scaling: byTarget(figures.scaling),
    openLoop: byTarget(figures.openLoop),
    streams: byTarget(figures.streams),
    translated: byTarget(figures.translated),
    dialects: figures.dialects && {
      closedLoop: byTarget(figures.dialects.closedLoop),
      streams: byTarget(figures.dialects.streams),
    },
    idleRssMegabytes: byTarget(figures.idleRss),
  })
}
