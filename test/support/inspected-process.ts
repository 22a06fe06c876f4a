/** Looks into a process that was started with `--inspect`. */

export type Inspected = {
  /** The JavaScript heap that is really in use, in mebibytes, after a full collection. */
  liveHeapMib(): Promise<number>
  /** From now on the longest turn of its event loop is kept. */
  watchTurns(): Promise<void>
  /**
   * What its main thread computed between two turns of the event loop, at most, in milliseconds since it was watched. That is
   * the processor's time, not the clock's: a crowded machine does not add to it.
   */
  longestTurnMs(): Promise<number>
  close(): void
}

type Result = { readonly usedSize?: number; readonly result?: { readonly value?: unknown } }

const WATCH_TURNS = `
  globalThis.longestTurnMicros = 0
  let last = process.threadCpuUsage()
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(last)
    last = process.threadCpuUsage()
    globalThis.longestTurnMicros = Math.max(globalThis.longestTurnMicros, user + system)
  }, 1).unref()
  0`

/** Connects to the inspector whose address the process has printed. */
export async function inspect(output: string): Promise<Inspected> {
  const address = /ws:\/\/\S+/.exec(output)?.[0]
  if (address === undefined) throw new Error('The process was not started with --inspect')
  const socket = new WebSocket(address)
  const waiting = new Map<number, (result: Result | PromiseLike<Result>) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data))
    waiting.get(id)?.(result ?? Promise.reject(new Error(error?.message)))
    waiting.delete(id)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  let last = 0
  const call = (method: string, params: object = {}) =>
    new Promise<Result>(resolve => {
      waiting.set(++last, resolve)
      socket.send(JSON.stringify({ id: last, method, params }))
    })
  const evaluate = async (expression: string) =>
    (await call('Runtime.evaluate', { expression, returnByValue: true })).result?.value
  return {
    liveHeapMib: async () => {
      // What finalisers let go in the first round is collected in the second.
      await call('HeapProfiler.collectGarbage')
      await call('HeapProfiler.collectGarbage')
      const { usedSize = 0 } = await call('Runtime.getHeapUsage')
      return usedSize / 1024 / 1024
    },
    watchTurns: async () => {
      await evaluate(WATCH_TURNS)
    },
    longestTurnMs: async () => Number(await evaluate('globalThis.longestTurnMicros / 1000')),
    close: () => socket.close(),
  }
}
