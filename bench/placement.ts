import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** `target` is what is measured, and `store` what it keeps everything in; `load` is the upstream and the driver. */
export type Role = 'target' | 'store' | 'load'

/** Which processor core each process runs on. */
export type Placement = {
  readonly description: string
  /** The command line that starts `command` where its role belongs. */
  place(role: Role, command: readonly string[]): readonly string[]
}

/** The cores that this process may use, lowest first; empty where the system does not say. */
function allowedCores(): number[] {
  try {
    const list = /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
    return list.split(',').flatMap(range => {
      const [from = 0, to = from] = range.split('-').map(Number)
      return Array.from({ length: to - from + 1 }, (_, i) => from + i)
    })
  } catch {
    return []
  }
}

/**
 * Keeps the upstream and the driver on one core where `taskset` and two cores are there. What is measured may use all
 * of them, as it does in production: most of a target is one thread, and its others take what the load leaves.
 */
export function choosePlacement(): Placement {
  const loadCore = allowedCores().at(1)
  if (loadCore === undefined) {
    return { description: 'nothing pinned: fewer than two known cores', place: (_, command) => command }
  }
  if (spawnSync('taskset', ['--version']).status !== 0) {
    return { description: 'nothing pinned: no taskset', place: (_, command) => command }
  }
  return {
    description: `upstream and driver pinned to core ${loadCore}; bare proxy and gateway may use all cores`,
    place: (role, command) =>
      role !== 'load' ? command : ['taskset', '--cpu-list', String(loadCore), ...command],
  }
}
