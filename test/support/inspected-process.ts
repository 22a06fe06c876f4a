/** Asks a process that was started with `--inspect` to collect its garbage and to say what is left. */

export type Inspected = {
  /** The JavaScript heap that is really in use, in mebibytes, after a full collection. */
  liveHeapMib(): Promise<number>
  close(): void
}

/** Connects to the inspector whose address the process has printed. */
export async function inspect(output: string): Promise<Inspected> {
  const address = /ws:\/\/\S+/.exec(output)?.[0]
  if (address === undefined) throw new Error('The process was not started with --inspect')
  const socket = new WebSocket(address)
  const waiting = new Map<number, (result: Record<string, number>) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  let last = 0
  const call = (method: string) =>
    new Promise<Record<string, number>>(resolve => {
      waiting.set(++last, resolve)
      socket.send(JSON.stringify({ id: last, method }))
    })
  return {
    liveHeapMib: async () => {
      // What finalisers let go in the first round is collected in the second.
      await call('HeapProfiler.collectGarbage')
      await call('HeapProfiler.collectGarbage')
      const { usedSize = 0 } = await call('Runtime.getHeapUsage')
      return usedSize / 1024 / 1024
    },
    close: () => socket.close(),
  }
}
