/** Servers that tests start for themselves: none of them outlives whoever started it, however that ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { listDescendants } from './process-tree.ts'

/**
 * Prepares the folder, then starts the server once for each line it reads and tells its process id. Its input ends with the process that holds
 * the other end, even one that was killed; then the server is ended and its folder removed. Nobody may hear the process
 * id any more by then, which is no reason to end before the server.
 */
const GUARD = `
  trap '' PIPE
  folder=$1; prepare=$2; shift 2
  sh -c "$prepare" >>"$folder/output" 2>&1
  while read -r line; do "$@" >>"$folder/output" 2>&1 & server=$!; echo $server; done
  kill -CONT $server 2>/dev/null; kill -QUIT $server 2>/dev/null
  for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 $server 2>/dev/null || break; sleep 0.1; done
  kill -KILL $server 2>/dev/null; wait $server 2>/dev/null
  rm -rf "$folder"`

export type ServerProcess = {
  readonly port: number
  /** Stops the server where it stands: connections stay open, and nothing answers. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Ends the server like a power cut; its data stay. */
  kill(): Promise<void>
  /** Starts it again over the same data and on the same port; resolves when it answers. */
  restart(): Promise<void>
  /** Ends it and removes its folder. */
  stop(): Promise<void>
}

export type GuardedServerOptions = {
  readonly command: readonly [string, ...string[]]
  /** Removed with the server. */
  readonly folder: string
  /** What is done before the first start, as a line for the shell. */
  readonly prepare?: string
  readonly port: number
  /** Whom to run as; whoever runs the tests unless told otherwise. */
  readonly user?: { readonly uid: number; readonly gid: number }
  /** Resolves when the server answers, rejects while it does not. */
  readonly answers: () => Promise<void>
}

export async function startGuardedServer(options: GuardedServerOptions): Promise<ServerProcess> {
  const guard = spawn(
    'sh',
    ['-c', GUARD, 'guard', options.folder, options.prepare ?? '', ...options.command],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      // A group of its own: an interrupt at the keyboard reaches the tests, which then end their servers.
      detached: true,
      ...options.user,
    },
  )
  const ended = new Promise<void>(resolve => guard.once('exit', () => resolve()))
  const nextPid = readPids(guard)
  const start = async () => {
    guard.stdin?.write('start\n')
    const pid = await nextPid()
    await untilItAnswers(options.answers)
    return pid
  }
  const stop = async () => {
    guard.stdin?.end()
    await ended
  }
  let pid = await start().catch(async error => {
    await stop()
    throw error
  })
  return {
    port: options.port,
    pause: () => signalTree(pid, 'SIGSTOP'),
    resume: () => signalTree(pid, 'SIGCONT'),
    kill: () => signalTree(pid, 'SIGKILL'),
    restart: async () => {
      pid = await start()
    },
    stop,
  }
}

function readPids(guard: ChildProcess): () => Promise<number> {
  if (!guard.stdout) throw new Error('The guard has no output')
  const lines = createInterface(guard.stdout)[Symbol.asyncIterator]()
  return async () => Number((await lines.next()).value)
}

/** The server first, so that it starts nothing new while its children are told. */
async function signalTree(pid: number, signal: NodeJS.Signals): Promise<void> {
  const children = await listDescendants(pid)
  for (const process_ of [pid, ...children]) {
    try {
      process.kill(process_, signal)
    } catch {
      // It has ended by itself in the meantime.
    }
  }
}

const START_TIMEOUT_MS = 20_000

async function untilItAnswers(answers: () => Promise<void>): Promise<void> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS
  for (;;) {
    try {
      return await answers()
    } catch (error) {
      if (performance.now() > deadlineMs) throw error
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
}

/** A port that nobody listens on at this moment. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(address)))
    })
  })
}
