import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** What a process may use of the machine at most: a part of one core, as if it had a slow core of its own. */
export type Slice = {
  /** Where the kernel counts how often the process was held back. */
  readonly statPath: string
  /** Takes effect once the process has ended. */
  remove(): void
}

/** Of one core. */
export const SLICE_PERCENT = 30

/** Short: who has used up its part stands still until the next period, and whoever waits for its locks with it. */
const PERIOD_MICROS = 5_000
const QUOTA_MICROS = (PERIOD_MICROS * SLICE_PERCENT) / 100

const REMOVAL_TIMEOUT_MS = 2_000
const REMOVAL_PAUSE_MS = 20

/** Where groups can be made, and how one is limited: https://docs.kernel.org/admin-guide/cgroup-v2.html and …-v1/. */
type Home = { readonly folder: string; readonly limits: readonly (readonly [file: string, value: string])[] }

type Mount = { readonly point: string; readonly type: string; readonly options: readonly string[] }

function listMounts(): Mount[] {
  const lines = readFileSync('/proc/self/mounts', 'utf8').trim().split('\n')
  return lines.map(line => {
    const [, point = '', type = '', options = ''] = line.split(' ')
    return { point, type, options: options.split(',') }
  })
}

/** The group of this process: of the controllers by name in the first version, of all of them in the second. */
function ownGroup(controller: 'cpu' | ''): string {
  for (const line of readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n')) {
    const [, controllers = '', group = '/'] = line.split(':')
    if (controllers.split(',').includes(controller)) return group
  }
  return '/'
}

/** Groups of the first version may be made within any other. */
function firstVersionHome(mounts: readonly Mount[]): Home[] {
  const mount = mounts.find(({ type, options }) => type === 'cgroup' && options.includes('cpu'))
  if (!mount) return []
  const limits = [
    ['cpu.cfs_period_us', String(PERIOD_MICROS)],
    ['cpu.cfs_quota_us', String(QUOTA_MICROS)],
  ] as const
  return [{ folder: path.join(mount.point, ownGroup('cpu')), limits }]
}

/** Those of the second only where the controller is handed on, which a group that has processes itself mostly does not. */
function secondVersionHomes(mounts: readonly Mount[]): Home[] {
  const mount = mounts.find(({ type }) => type === 'cgroup2')
  if (!mount) return []
  const homes: Home[] = []
  for (let group = ownGroup(''); ; group = path.dirname(group)) {
    const folder = path.join(mount.point, group)
    const handedOn = readFileSync(path.join(folder, 'cgroup.subtree_control'), 'utf8')
    if (handedOn.trim().split(' ').includes('cpu')) {
      homes.push({ folder, limits: [['cpu.max', `${QUOTA_MICROS} ${PERIOD_MICROS}`]] })
    }
    if (group === '/') return homes
  }
}

/** Makes an empty group; only what it has made is ever changed or removed. */
function makeGroup({ folder, limits }: Home, name: string): string {
  const group = path.join(folder, name)
  mkdirSync(group)
  try {
    for (const [file, value] of limits) writeFileSync(path.join(group, file), value)
    return group
  } catch (error) {
    rmdirSync(group)
    throw error
  }
}

/** Waits for a process that was killed a moment ago; nothing else runs meanwhile, not even on the way out. */
function removeGroup(group: string): void {
  const deadlineMs = performance.now() + REMOVAL_TIMEOUT_MS
  for (;;) {
    try {
      rmdirSync(group)
      return
    } catch (error) {
      if (performance.now() > deadlineMs) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, REMOVAL_PAUSE_MS)
    }
  }
}

let made = 0

function nextName(): string {
  return `goldweight-bench-${process.pid}-${++made}`
}

/** null where this process may not make a group that limits processor time, which only making one can tell. */
function findHome(): Home | null {
  try {
    const mounts = listMounts()
    const homes = [...firstVersionHome(mounts), ...secondVersionHomes(mounts)]
    return homes.find(canMakeGroups) ?? null
  } catch {
    return null
  }
}

function canMakeGroups(home: Home): boolean {
  try {
    removeGroup(makeGroup(home, nextName()))
    return true
  } catch {
    return false
  }
}

export function canSliceCores(): boolean {
  return findHome() !== null
}

/** Confines a running process, with all its threads, to a slice of its own. */
export function confine(pid: number): Slice {
  const home = findHome()
  if (!home) throw new Error('no control group for processor time can be made here')
  const group = makeGroup(home, nextName())
  const slice = { statPath: path.join(group, 'cpu.stat'), remove: () => removeGroup(group) }
  try {
    writeFileSync(path.join(group, 'cgroup.procs'), String(pid))
    return slice
  } catch (error) {
    slice.remove()
    throw error
  }
}
