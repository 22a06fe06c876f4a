/** Starts the service as an operator does, and keeps what it prints. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE } from './compile-cache.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export type Launched = {
  readonly child: ChildProcess
  stdout(): string
  stderr(): string
  /** The exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>
}

export type Launch = {
  /** What to run; the server itself unless told otherwise. */
  readonly command?: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
}

/** Runs a command in the project's folder with this environment alone: nothing is inherited but where programs are. */
export function launch({ command = [process.execPath, 'server/main.ts'], env }: Launch): Launched {
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      HOST: '127.0.0.1',
      PORT: '0',
      ...COMPILE_CACHE,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written = { stdout: '', stderr: '' }
  child.stdout?.on('data', piece => {
    written.stdout += piece
  })
  child.stderr?.on('data', piece => {
    written.stderr += piece
  })
  return {
    child,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    // `close` comes when the output is complete too.
    exited: new Promise(resolve => child.once('close', code => resolve(code))),
  }
}

/** The port in the log line that says where the service listens; null before it. */
export function listeningPort({ stdout }: Pick<Launched, 'stdout'>): number | null {
  const port = /"port":(\d+)/.exec(stdout())?.[1]
  return port === undefined ? null : Number(port)
}
