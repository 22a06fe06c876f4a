import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** `target` is what is measured; `load` is the upstream and the driver. */
export type Role = 'target' | 'load'

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

/** Gives the target a core of its own where `taskset` and two cores are there; else leaves it to the scheduler. */
export function choosePlacement(): Placement {
  const [targetCore, loadCore] = allowedCores()
  if (targetCore === undefined || loadCore === undefined) {
    return { description: 'nothing pinned: fewer than two known cores', place: (_, command) => command }
  }
  if (spawnSync('taskset', ['--version']).status !== 0) {
    return { description: 'nothing pinned: no taskset', place: (_, command) => command }
  }
  return {
    description: `bare proxy and gateway pinned to core ${targetCore}, upstream and driver to core ${loadCore}`,
    place: (role, command) => [
      'taskset',
      '--cpu-list',
      String(role === 'target' ? targetCore : loadCore),
      ...command,
    ],
  }
}
