import { readFileSync } from 'node:fs'

/** What kept the machine busy beside this run, as shares of one core. */
export type Disturbance = {
  readonly otherProcessesPercent: number
  /** Time in which the hypervisor ran something else. */
  readonly stolenPercent: number
}

const TICKS_PER_SECOND = 100

function readTicks() {
  const [, user, nice, system, , , , , stolen] = readFileSync('/proc/stat', 'latin1')
    .split(/\s+/, 9)
    .map(Number)
  const own = readFileSync('/proc/self/stat', 'latin1')
  // From the 14th field on: user and system time of this process, and of the children that have ended.
  const ownTicks = own
    .slice(own.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number)
  const sum = (ticks: readonly (number | undefined)[]) =>
    ticks.reduce<number>((all, one) => all + (one ?? 0), 0)
  return { atMs: performance.now(), all: sum([user, nice, system]), own: sum(ownTicks), stolen: stolen ?? 0 }
}

function readTicksIfTold() {
  try {
    return readTicks()
  } catch {
    return null
  }
}

/**
 * Starts to watch the machine. The function it returns tells what happened since, once all children have ended;
 * null where the system does not tell.
 */
export function watchDisturbance(): () => Disturbance | null {
  const before = readTicksIfTold()
  return () => {
    const after = readTicksIfTold()
    if (before === null || after === null) return null
    const seconds = (after.atMs - before.atMs) / 1000
    const percent = (ticks: number) => Math.max(0, (ticks / TICKS_PER_SECOND / seconds) * 100)
    return {
      otherProcessesPercent: percent(after.all - before.all - (after.own - before.own)),
      stolenPercent: percent(after.stolen - before.stolen),
    }
  }
}
