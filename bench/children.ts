import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { confine, type Slice } from './core-slices.ts'
import type { Placement, Role } from './placement.ts'

export type ChildOptions = {
  readonly name: string
  readonly role: Role
  /** The file to run, with Node's flags before it and its arguments after it; or another program. */
  readonly nodeArguments?: readonly string[]
  readonly program?: readonly string[]
  /** Whom the program runs as; whoever runs this unless told otherwise. */
  readonly user?: { readonly uid: number; readonly gid: number }
  readonly environment?: Readonly<Record<string, string>>
  /** Whether the child speaks to this process; the gateway does not know how. */
  readonly speaks: boolean
}

export type Child = {
  readonly name: string
  readonly pid: number
  send(message: object): void
  /** The next message of the child; throws when it ends first, or says nothing for so long. */
  nextMessage(timeoutMs: number): Promise<unknown>
  /** Never fulfilled; throws once the child has ended without being asked to. */
  readonly ended: Promise<never>
  /** Empties what the child has logged so far: a busy gateway writes a line a request. */
  forgetLog(): void
  /** Asks the child to end, and ends it after ten seconds. */
  stop(): Promise<void>
}

/** The processes, their slices and the folders of one run: whatever way the run ends, none of them outlives it. */
export type Children = {
  start(options: ChildOptions): Child
  /** From now on the child has a slice of a core and no more. */
  confine(child: Child): Slice
  temporaryFolder(): string
  stopAll(): Promise<void>
}

const STOP_GRACE_MS = 10_000

/** A child sees nothing of the caller's environment that could configure it. */
function inheritedEnvironment(): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of ['PATH', 'HOME', 'TMPDIR']) {
    const value = process.env[name]
    if (value !== undefined) kept[name] = value
  }
  return kept
}

function delay(ms: number): { promise: Promise<void>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  return { promise, cancel: () => clearTimeout(timer) }
}

function adopt(name: string, process_: ChildProcess, logPath: string): Child {
  let asked = false
  const gone = new Promise<void>(resolve => {
    process_.once('exit', () => resolve())
    // A process that could not be started never exits.
    process_.once('error', () => resolve())
  })
  const ended = new Promise<never>((_, reject) => {
    process_.once('error', reject)
    process_.once('exit', (code, signal) => {
      if (asked) return
      const log = readFileSync(logPath, 'utf8').slice(-2000)
      reject(new Error(`${name} ended by itself (${signal ?? code})\n${log}`))
    })
  })
  // Whoever waits for the child sees the failure; while nobody does, it is no unhandled one.
  ended.catch(() => {})
  return {
    name,
    pid: process_.pid ?? 0,
    ended,
    send: message => void process_.send?.(message),
    nextMessage: async timeoutMs => {
      const timer = delay(timeoutMs)
      const message = new Promise<unknown>(resolve => process_.once('message', resolve))
      const late = timer.promise.then(() => {
        throw new Error(`${name} said nothing for ${timeoutMs / 1000} s`)
      })
      return Promise.race([message, late, ended]).finally(timer.cancel)
    },
    forgetLog: () => truncateSync(logPath),
    stop: async () => {
      asked = true
      if (process_.exitCode !== null || process_.signalCode !== null) return
      process_.kill('SIGTERM')
      const grace = delay(STOP_GRACE_MS)
      await Promise.race([gone, grace.promise.then(() => process_.kill('SIGKILL'))])
      grace.cancel()
      await gone
    },
  }
}

export function createChildren(placement: Placement): Children {
  const folders: string[] = []
  const slices: Slice[] = []
  const running = new Map<Child, ChildProcess>()

  function temporaryFolder(): string {
    const folder = mkdtempSync(path.join(tmpdir(), 'goldweight-bench-'))
    folders.push(folder)
    return folder
  }

  // The last resort for every way out, an exception and an interrupt included; nothing asynchronous runs here.
  process.on('exit', () => {
    for (const process_ of running.values()) process_.kill('SIGKILL')
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    for (const slice of slices.splice(0)) slice.remove()
  })

  return {
    temporaryFolder,
    confine: ({ pid }) => {
      const slice = confine(pid)
      slices.push(slice)
      return slice
    },
    start: ({ name, role, nodeArguments = [], program, user, environment = {}, speaks }) => {
      const [command = '', ...args] = placement.place(role, program ?? [process.execPath, ...nodeArguments])
      const logPath = path.join(temporaryFolder(), 'log')
      const log = openSync(logPath, 'a')
      const process_ = spawn(command, args, {
        stdio: ['ignore', log, log, ...(speaks ? (['ipc'] as const) : [])],
        env: { ...inheritedEnvironment(), ...environment },
        ...user,
      })
      closeSync(log)
      const child = adopt(name, process_, logPath)
      running.set(child, process_)
      for (const event of ['exit', 'error']) process_.once(event, () => running.delete(child))
      return child
    },
    stopAll: async () => {
      await Promise.all([...running.keys()].map(child => child.stop()))
      for (const slice of slices.splice(0)) slice.remove()
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
    },
  }
}
