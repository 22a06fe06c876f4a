import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The ids of all processes that a process has started, directly or through others, and that still run. */
export async function listDescendants(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,stat='])
  const children = new Map<number, number[]>()
  for (const line of stdout.trim().split('\n')) {
    const [child, parent, state] = line.trim().split(/\s+/)
    if (state?.startsWith('Z')) continue
    children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(child)])
  }
  const found: number[] = []
  const unread = [pid]
  for (let next = unread.pop(); next !== undefined; next = unread.pop()) {
    const own = children.get(next) ?? []
    found.push(...own)
    unread.push(...own)
  }
  return found
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
