import { readdirSync, readFileSync } from 'node:fs'
import type { Target } from './jobs.ts'

/** Linux shows processor time in hundredths of a second (USER_HZ), on every platform that Node runs on. */
const MICROS_PER_TICK = 10_000

/** The fields of a process's line from the third on: the second is its name in brackets and may hold spaces. */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Processor time that all threads of a process have used so far, in microseconds; null where it is not to be had. */
function cpuMicros(pid: number): number | null {
  try {
    const fields = statFields(pid)
    // utime and stime are the 14th and 15th.
    return (Number(fields[11]) + Number(fields[12])) * MICROS_PER_TICK
  } catch {
    return null
  }
}

/** A process and those that it has started, which is how Postgres serves its connections. */
function withChildren(pid: number): number[] {
  const others = readdirSync('/proc').map(Number).filter(Number.isInteger)
  const isChild = (other: number) => {
    try {
      return Number(statFields(other)[1]) === pid
    } catch {
      return false
    }
  }
  return [pid, ...others.filter(isChild)]
}

/**
 * Time in which the machine ran programs so far, in microseconds over all cores, and in which its hypervisor ran
 * something else instead; null where it is not to be had.
 */
function machineMicros(): number | null {
  try {
    const [, user, nice, system, , , , , stolen] = readFileSync('/proc/stat', 'latin1')
      .split(/\s+/, 9)
      .map(Number)
    return ((user ?? 0) + (nice ?? 0) + (system ?? 0) + (stolen ?? 0)) * MICROS_PER_TICK
  } catch {
    return null
  }
}

/** Memory that a process holds now, in megabytes; null where it is not to be had. */
export function rssMegabytes(pid: number): number | null {
  try {
    const kilobytes = /VmRSS:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) / 1024
  } catch {
    return null
  }
}

type Periods = { readonly all: number; readonly heldBack: number }

/** The kernel's periods so far in which processes with slices of a core ran, and in which they had used them up. */
function readPeriods(statPaths: readonly string[]): Periods {
  const texts = statPaths.map(path => readFileSync(path, 'latin1'))
  const sum = (name: string) =>
    texts.reduce((total, text) => total + Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0), 0)
  return { all: sum('nr_periods'), heldBack: sum('nr_throttled') }
}

export type Metered = {
  readonly seconds: number
  /** Null where the system does not tell; so are the shares, which are of one core. */
  readonly targetCpuMicros: number | null
  readonly targetCpuPercent: number | null
  readonly storesCpuMicros: number | null
  readonly loadCpuPercent: number | null
  /** What neither the target with its stores nor the load took: whatever else ran, and what the hypervisor kept. */
  readonly othersCpuPercent: number | null
  /** How often the target had used up its slices of cores; null where it has none. */
  readonly heldBackPercent: number | null
}

type Reading = {
  readonly target: number | null
  readonly stores: number | null
  /** Driver and upstream; the upstream counts once where it is the target itself, too. */
  readonly load: number | null
  readonly measured: number | null
  readonly machine: number | null
}

function add(...parts: readonly (number | null)[]): number | null {
  return parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0)
}

function subtract(from: number | null, what: number | null): number | null {
  return from === null || what === null ? null : from - what
}

function read({ pids, storePids }: Target, upstreamPid: number): Reading {
  const target = add(...pids.map(cpuMicros))
  const stores = add(...storePids.flatMap(withChildren).map(cpuMicros))
  const load = add(cpuMicros(process.pid), cpuMicros(upstreamPid))
  const measured = pids.includes(upstreamPid) ? load : add(target, stores, load)
  return { target, stores, load, measured, machine: machineMicros() }
}

/** Starts to measure; the function it returns says what was used since. */
export function startMeter(target: Target, upstreamPid: number): () => Metered {
  const startMs = performance.now()
  const before = read(target, upstreamPid)
  const periodsBefore = readPeriods(target.sliceStatPaths)
  return () => {
    const after = read(target, upstreamPid)
    const periods = readPeriods(target.sliceStatPaths)
    const ran = periods.all - periodsBefore.all
    const seconds = (performance.now() - startMs) / 1000
    const used = (name: keyof Reading) => subtract(after[name], before[name])
    const percent = (micros: number | null) => (micros === null ? null : micros / seconds / 10_000)
    const others = percent(subtract(used('machine'), used('measured')))
    return {
      seconds,
      targetCpuMicros: used('target'),
      targetCpuPercent: percent(used('target')),
      storesCpuMicros: used('stores'),
      loadCpuPercent: percent(used('load')),
      // Over short times the kernel's own rounding can show a little less than nothing.
      othersCpuPercent: others === null ? null : Math.max(0, others),
      heldBackPercent: ran === 0 ? null : (100 * (periods.heldBack - periodsBefore.heldBack)) / ran,
    }
  }
}

/** Watches how much memory processes hold together; the function it returns ends that and says the most there was. */
export function watchPeakRss(pids: readonly number[]): () => number | null {
  const held = () => add(...pids.map(rssMegabytes))
  let peak = held()
  const look = () => {
    const now = held()
    if (now !== null && (peak === null || now > peak)) peak = now
  }
  const timer = setInterval(look, 100)
  return () => {
    clearInterval(timer)
    look()
    return peak
  }
}
