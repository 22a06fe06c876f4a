import type { Children } from './children.ts'
import { SLICE_PERCENT } from './core-slices.ts'
import type { ClosedLoopResult, Job, OpenLoopResult, StreamsResult } from './driver/jobs.ts'
import { type Driver, type ResultOf, startDriver } from './driver-process.ts'
import { MEASURED_TARGETS, type MeasurementName, type Plan, type StreamsPlan } from './plan.ts'
import { type Contest, type Contestant, startContest, type TargetName } from './targets.ts'

/** The results of all rounds, target by target, in the order of the rounds. */
export type Results<Result> = ReadonlyMap<TargetName, readonly Result[]>

export type Figures = {
  readonly closedLoop: readonly {
    readonly connections: number
    readonly results: Results<ClosedLoopResult>
  }[]
  readonly openLoop: Results<OpenLoopResult> | null
  readonly streams: Results<StreamsResult> | null
  /** One node and two over Postgres and Redis beside the embedded set-up. */
  readonly nodes: Results<ClosedLoopResult> | null
  /** One node and two over Postgres and Redis, each node with a slice of a core. */
  readonly scaling: Results<ClosedLoopResult> | null
  /** Streams that were passed through beside streams that were translated. */
  readonly translated: Results<StreamsResult> | null
  /** Requests and streams of each dialect, before upstreams that speak it. */
  readonly dialects: {
    readonly closedLoop: Results<ClosedLoopResult>
    readonly streams: Results<StreamsResult>
  } | null
  /** Megabytes held before the first request. */
  readonly idleRss: ReadonlyMap<TargetName, number | null>
}

export type Progress = (text: string) => void

/** What a phase may take beyond its own length before it is given up. */
const PATIENCE_SECONDS = 30

type Stage = {
  readonly plan: Plan
  readonly upstreamPid: number
  /** Those that take part in the measurement. */
  readonly contestants: readonly Contestant[]
  /** Runs a job at a target; its requests go into the books. */
  readonly perform: <AnyJob extends Job>(
    job: AnyJob,
    contestant: Contestant,
    seconds: number,
  ) => Promise<ResultOf<AnyJob>>
}

/**
 * Starts fresh processes, lets `measure` use them, and checks that the gateway charged every request that succeeded
 * exactly once.
 */
async function withContest(
  { children, plan, names }: { children: Children; plan: Plan; names: readonly TargetName[] },
  measure: (contest: Contest, perform: Stage['perform']) => Promise<void>,
): Promise<void> {
  const contest = await startContest({ children, names, chunkIntervalMs: plan.streams.chunkIntervalMs })
  const driver: Driver = startDriver(children)
  const charged = new Map<TargetName, number>()
  await measure(contest, async (job, contestant, seconds) => {
    const done = await driver.run(job, contestant.processes, seconds + PATIENCE_SECONDS)
    charged.set(contestant.name, (charged.get(contestant.name) ?? 0) + done.succeeded)
    for (const child of contestant.processes) child.forgetLog()
    return done
  })
  for (const { name, gateway } of contest.contestants) await gateway?.checkBooks(charged.get(name) ?? 0)
  await children.stopAll()
}

/** Every target gets its turn in every round: whatever disturbs the machine for a while disturbs all of them. */
async function takeTurns<Result>(
  { plan, contestants }: Stage,
  turn: (contestant: Contestant) => Promise<Result>,
): Promise<Results<Result>> {
  const results = new Map<TargetName, Result[]>(contestants.map(({ name }) => [name, []]))
  for (let round = 0; round < plan.rounds; round++) {
    for (const contestant of contestants) {
      results.get(contestant.name)?.push(await turn(contestant))
    }
  }
  return results
}

function measureClosedLoop(stage: Stage, connections: number): Promise<Results<ClosedLoopResult>> {
  const { plan, upstreamPid, perform } = stage
  const { warmUpSeconds, closedLoop } = plan
  return takeTurns(stage, contestant => {
    const { target } = contestant
    const { seconds } = closedLoop
    return perform(
      { kind: 'closed-loop', target, upstreamPid, connections, warmUpSeconds, seconds },
      contestant,
      warmUpSeconds + seconds,
    )
  })
}

function measureOpenLoop(stage: Stage): Promise<Results<OpenLoopResult>> {
  const { plan, upstreamPid, perform } = stage
  const { warmUpSeconds, openLoop } = plan
  return takeTurns(stage, contestant => {
    const { target } = contestant
    return perform(
      { kind: 'open-loop', target, upstreamPid, warmUpSeconds, ...openLoop },
      contestant,
      warmUpSeconds + openLoop.seconds,
    )
  })
}

function measureStreams(stage: Stage): Promise<Results<StreamsResult>> {
  const { plan, upstreamPid, perform } = stage
  const { streams, opensPerSecond, chunks, warmUp, chunkIntervalMs } = plan.streams
  return takeTurns(stage, async contestant => {
    const { target } = contestant
    const run = (scale: StreamsPlan) =>
      perform(
        { kind: 'streams', target, upstreamPid, ...scale },
        contestant,
        scale.streams / scale.opensPerSecond + (scale.chunks * chunkIntervalMs) / 1000,
      )
    await run(warmUp)
    return run({ streams, opensPerSecond, chunks })
  })
}

/** A measurement on processes that are running; it gives its part of the figures. */
type Measurement = (stage: Stage, progress: Progress) => Promise<Partial<Figures>>

const MEASUREMENTS: Readonly<Record<MeasurementName, Measurement>> = {
  rps: async (stage, progress) => {
    const closedLoop = []
    for (const connections of stage.plan.closedLoop.connections) {
      progress(`requests per second, ${connections} connections`)
      closedLoop.push({ connections, results: await measureClosedLoop(stage, connections) })
    }
    return { closedLoop }
  },
  latency: async (stage, progress) => {
    progress(`latency at ${stage.plan.openLoop.requestsPerSecond} requests per second`)
    return { openLoop: await measureOpenLoop(stage) }
  },
  streams: async (stage, progress) => {
    progress(`${stage.plan.streams.streams} streams`)
    const { contestants } = stage
    const idleRss = new Map(contestants.map(({ name, idleRssMegabytes }) => [name, idleRssMegabytes]))
    return { idleRss, streams: await measureStreams(stage) }
  },
  nodes: async (stage, progress) => {
    const [connections = 0] = stage.plan.closedLoop.connections
    progress(`requests per second of one node and two over Postgres and Redis, ${connections} connections`)
    return { nodes: await measureClosedLoop(stage, connections) }
  },
  scaling: async (stage, progress) => {
    const { connections } = stage.plan.scaling
    progress(`requests per second of one node and two with ${SLICE_PERCENT} % of a core each`)
    return { scaling: await measureClosedLoop(stage, connections) }
  },
  translated: async (stage, progress) => {
    progress(`${stage.plan.streams.streams} streams, passed through and translated`)
    return { translated: await measureStreams(stage) }
  },
  dialects: async (stage, progress) => {
    const [connections = 0] = stage.plan.closedLoop.connections
    progress(`requests per second of each dialect, ${connections} connections`)
    const closedLoop = await measureClosedLoop(stage, connections)
    progress(`${stage.plan.streams.streams} streams of each dialect`)
    return { dialects: { closedLoop, streams: await measureStreams(stage) } }
  },
}

/**
 * Does all that the plan says. Throws, and so voids the run, when anything that came back was not whole. Each
 * measurement has processes of its own, so that none inherits another's memory; a smoke run has no time for that.
 */
export async function measureAll(children: Children, plan: Plan, progress: Progress): Promise<Figures> {
  let figures: Figures = {
    closedLoop: [],
    openLoop: null,
    streams: null,
    nodes: null,
    scaling: null,
    translated: null,
    dialects: null,
    idleRss: new Map(),
  }
  const groups = plan.smoke ? [plan.measurements] : plan.measurements.map(name => [name])
  for (const group of groups) {
    const wanted = new Set(group.flatMap(name => MEASURED_TARGETS[name]))
    const names = plan.targets.filter(name => wanted.has(name))
    await withContest({ children, plan, names }, async ({ upstreamPid, contestants }, perform) => {
      for (const measurement of group) {
        const taking = contestants.filter(({ name }) => MEASURED_TARGETS[measurement].includes(name))
        const stage = { plan, upstreamPid, perform, contestants: taking }
        figures = { ...figures, ...(await MEASUREMENTS[measurement](stage, progress)) }
      }
    })
  }
  return figures
}
