/** What run.ts asks of the driver and what it gets back: plain JSON, since it crosses processes. */

import type { DialectName } from './dialects.ts'

/** Where to send the load, and whose processor time to measure. */
export type Target = {
  /** Connections are spread over all of them evenly. */
  readonly ports: readonly number[]
  /** The processes that are measured, taken together. */
  readonly pids: readonly number[]
  /** The servers that they keep everything in, measured apart; their own children count with them. */
  readonly storePids: readonly number[]
  /** Where the kernel counts how often it held processes back that have a slice of a core; none where none have. */
  readonly sliceStatPaths: readonly string[]
  readonly token: string
  /** In whose words it is asked. */
  readonly dialect: DialectName
}

/** The port for the connection of this number. */
export function portFor({ ports }: Target, index: number): number {
  return ports[index % ports.length] ?? 0
}

type CommonFields = {
  readonly target: Target
  /** The processes that make the load, this one aside: their processor time is reported too. */
  readonly upstreamPid: number
}

type RequestFields = CommonFields & {
  readonly connections: number
  readonly warmUpSeconds: number
  readonly seconds: number
}

/** Every connection sends its next request when it has the reply to the last. */
export type ClosedLoopJob = RequestFields & { readonly kind: 'closed-loop' }

/** Requests are due at a steady rate, whether replies come or not. */
export type OpenLoopJob = RequestFields & { readonly kind: 'open-loop'; readonly requestsPerSecond: number }

/** Streams opened at a steady rate, each read to its end. */
export type StreamsJob = CommonFields & {
  readonly kind: 'streams'
  readonly streams: number
  readonly opensPerSecond: number
  /** Pieces of content in each stream. */
  readonly chunks: number
}

export type Job = ClosedLoopJob | OpenLoopJob | StreamsJob

/** Processor time and memory are null where the system does not tell them; shares are of one core. */
type CommonResult = {
  /** Requests that came to a whole, successful end, warm-up included: each of them is a charge. */
  readonly succeeded: number
  /** What everything else on the machine took meanwhile: it disturbs the figures. */
  readonly othersCpuPercent: number | null
}

export type ClosedLoopResult = CommonResult & {
  readonly requestsPerSecond: number
  readonly cpuMicrosPerRequest: number | null
  /** What the stores took for it; 0 where there are none. */
  readonly storesCpuMicrosPerRequest: number | null
  /** What driver and upstream took together: near 100 they are what limits the figure. */
  readonly loadCpuPercent: number | null
  /** Of the kernel's periods, those in which a process had used up its slice of a core; null where none has one. */
  readonly heldBackPercent: number | null
}

export type OpenLoopResult = CommonResult & {
  /** Latencies count from the moment the request was due. */
  readonly latencyMedianMs: number
  readonly latencyP99Ms: number
  /** How late the driver itself was: part of every latency above. */
  readonly sendLatenessMedianMs: number
  readonly cpuPercent: number | null
}

export type StreamsResult = CommonResult & {
  readonly firstChunkMedianMs: number
  readonly firstChunkP99Ms: number
  readonly chunkDelayMedianMs: number
  readonly chunkDelayP99Ms: number
  readonly cpuPercent: number | null
  readonly cpuMicrosPerChunk: number | null
  readonly loadCpuPercent: number | null
  readonly peakRssMegabytes: number | null
  /** From the first opening to the last end. */
  readonly seconds: number
}

export type JobResult = ClosedLoopResult | OpenLoopResult | StreamsResult

export type DriverMessage =
  | { readonly kind: 'done'; readonly result: JobResult }
  | { readonly kind: 'failed'; readonly message: string }
