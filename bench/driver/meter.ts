import { readFileSync } from 'node:fs'

/** Linux shows processor time in hundredths of a second (USER_HZ), on every platform that Node runs on. */
const MICROS_PER_TICK = 10_000

/** Processor time that all threads of a process have used so far, in microseconds; null where it is not to be had. */
function cpuMicros(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in brackets and may hold spaces; utime and stime are the 14th and 15th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * MICROS_PER_TICK
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

export type Metered = {
  readonly seconds: number
  /** Null where the system does not tell. */
  readonly targetCpuMicros: number | null
  readonly targetCpuPercent: number | null
  readonly loadCpuPercent: number | null
}

export type MeteredProcesses = { readonly target: number; readonly upstream: number }

/** Starts to measure; the function it returns says what was used since. */
export function startMeter({ target, upstream }: MeteredProcesses): () => Metered {
  const read = () => ({
    atMs: performance.now(),
    target: cpuMicros(target),
    upstream: cpuMicros(upstream),
    driver: cpuMicros(process.pid),
  })
  const before = read()
  return () => {
    const after = read()
    const seconds = (after.atMs - before.atMs) / 1000
    const used = (name: 'target' | 'upstream' | 'driver') => {
      const [from, to] = [before[name], after[name]]
      return from === null || to === null ? null : to - from
    }
    const [targetMicros, upstreamMicros, driverMicros] = [used('target'), used('upstream'), used('driver')]
    const percent = (micros: number | null) => (micros === null ? null : micros / seconds / 10_000)
    return {
      seconds,
      targetCpuMicros: targetMicros,
      targetCpuPercent: percent(targetMicros),
      loadCpuPercent:
        upstreamMicros === null || driverMicros === null ? null : percent(upstreamMicros + driverMicros),
    }
  }
}

/** Watches how much memory a process holds; the function it returns ends that and says the most there was. */
export function watchPeakRss(pid: number): () => number | null {
  let peak = rssMegabytes(pid)
  const look = () => {
    const now = rssMegabytes(pid)
    if (now !== null && (peak === null || now > peak)) peak = now
  }
  const timer = setInterval(look, 100)
  return () => {
    clearInterval(timer)
    look()
    return peak
  }
}
