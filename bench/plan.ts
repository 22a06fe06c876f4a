import { parseArgs } from 'node:util'
import { canSliceCores } from './core-slices.ts'
import { findStorePrograms } from './stores.ts'
import { TARGET_NAMES, type TargetName } from './targets.ts'

export const MEASUREMENT_NAMES = [
  'rps',
  'nodes',
  'scaling',
  'latency',
  'streams',
  'translated',
  'dialects',
] as const
export type MeasurementName = (typeof MEASUREMENT_NAMES)[number]

const FORWARDING: readonly TargetName[] = ['direct', 'bare', 'gateway']

/** What takes part in each measurement. */
export const MEASURED_TARGETS: Readonly<Record<MeasurementName, readonly TargetName[]>> = {
  rps: FORWARDING,
  nodes: ['gateway', 'distributed', 'two-nodes'],
  scaling: ['slow-node', 'two-slow-nodes'],
  latency: FORWARDING,
  streams: FORWARDING,
  translated: ['gateway', 'anthropic', 'gemini'],
  dialects: ['gateway', 'messages', 'responses'],
}

/** Everything that a run does, and how much of it. */
export type Plan = {
  readonly smoke: boolean
  readonly rounds: number
  readonly measurements: readonly MeasurementName[]
  /** What this machine can't do, and why. */
  readonly leftOut: readonly string[]
  readonly targets: readonly TargetName[]
  readonly jsonPath: string | null
  readonly warmUpSeconds: number
  readonly closedLoop: { readonly connections: readonly number[]; readonly seconds: number }
  /** As many for one node as for two: it must not be the callers who limit what two can do. */
  readonly scaling: { readonly connections: number }
  readonly openLoop: {
    readonly connections: number
    readonly requestsPerSecond: number
    readonly seconds: number
  }
  readonly streams: StreamsPlan & { readonly warmUp: StreamsPlan; readonly chunkIntervalMs: number }
}

export type StreamsPlan = {
  readonly streams: number
  readonly opensPerSecond: number
  readonly chunks: number
}

export const USAGE = `npm run bench -- [options]
  --smoke               about thirty seconds: everything runs once, tiny, and is checked; its figures mean nothing
  --rounds N            turns that each target gets (3)
  --seconds N           length of each measured phase (5 for rps, 10 for all others)
  --only NAME           ${MEASUREMENT_NAMES.join(', ')}; may be given more than once
  --target NAME         ${TARGET_NAMES.join(', ')}; may be given more than once
  --json FILE           write the figures there as well
  --help`

const CHUNK_INTERVAL_MS = 50

/** A command line that asks for something there is not. */
export class WrongOption extends Error {}

function wholeNumber(name: string, text: string | undefined, most: number): number | null {
  if (text === undefined) return null
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new WrongOption(`--${name} takes a whole number from 1 to ${most}`)
}

function someOf<Name extends string>(
  option: string,
  known: readonly Name[],
  asked: string[] | undefined,
): Name[] {
  const unknown = asked?.find(name => !known.some(other => other === name))
  if (unknown !== undefined) throw new WrongOption(`--${option} ${unknown}: there are ${known.join(', ')}`)
  return known.filter(name => asked === undefined || asked.includes(name))
}

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        smoke: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        only: { type: 'string', multiple: true },
        target: { type: 'string', multiple: true },
        json: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new WrongOption(error instanceof Error ? error.message : String(error))
  }
}

function fullPlan(seconds: number | null) {
  const streamSeconds = seconds ?? 10
  return {
    rounds: 3,
    // The engine compiles what is hot in steps; before some twenty thousand requests it is still at it.
    warmUpSeconds: 15,
    closedLoop: { connections: [32, 256], seconds: seconds ?? 5 },
    scaling: { connections: 64 },
    openLoop: { connections: 64, requestsPerSecond: 500, seconds: seconds ?? 10 },
    streams: {
      streams: 1000,
      opensPerSecond: 500,
      chunks: (streamSeconds * 1000) / CHUNK_INTERVAL_MS,
      chunkIntervalMs: CHUNK_INTERVAL_MS,
      warmUp: { streams: 200, opensPerSecond: 200, chunks: 20 },
    },
  }
}

function smokePlan() {
  return {
    rounds: 1,
    warmUpSeconds: 0.1,
    closedLoop: { connections: [2, 8], seconds: 0.3 },
    scaling: { connections: 4 },
    openLoop: { connections: 4, requestsPerSecond: 100, seconds: 0.4 },
    streams: {
      streams: 20,
      opensPerSecond: 200,
      chunks: 8,
      chunkIntervalMs: CHUNK_INTERVAL_MS,
      warmUp: { streams: 2, opensPerSecond: 100, chunks: 2 },
    },
  }
}

/** Why this machine can't do a measurement; null where it can. */
function findObstacle(name: MeasurementName): string | null {
  if (name !== 'nodes' && name !== 'scaling') return null
  if (findStorePrograms() === null) return 'Postgres and Redis are not installed'
  if (name === 'scaling' && !canSliceCores()) return 'no control group for processor time can be made'
  return null
}

/** Those that were asked for; without a wish, those that are possible on this machine. */
function chooseMeasurements(asked: string[] | undefined): Pick<Plan, 'measurements' | 'leftOut'> {
  const measurements: MeasurementName[] = []
  const leftOut: string[] = []
  for (const name of someOf('only', MEASUREMENT_NAMES, asked)) {
    const obstacle = findObstacle(name)
    if (obstacle === null) measurements.push(name)
    else if (asked === undefined) leftOut.push(`${name}: ${obstacle}`)
    else throw new WrongOption(`--only ${name}: ${obstacle}`)
  }
  return { measurements, leftOut }
}

/** Reads the command line; null when it asks for help alone. */
export function readPlan(args: readonly string[]): Plan | null {
  const options = readOptions(args)
  if (options.help) return null
  const seconds = wholeNumber('seconds', options.seconds, 600)
  const rounds = wholeNumber('rounds', options.rounds, 50)
  const scale = options.smoke ? smokePlan() : fullPlan(seconds)
  return {
    ...scale,
    smoke: options.smoke,
    rounds: rounds ?? scale.rounds,
    ...chooseMeasurements(options.only),
    targets: someOf('target', TARGET_NAMES, options.target),
    jsonPath: options.json ?? null,
  }
}
