/** A line to a server that is far away: what is sent to it arrives later, in order. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type SlowLine = {
  readonly port: number
  /** How long it takes from now on until the server has what is sent. */
  delayMs: number
  close(): Promise<void>
}

/** Opens a line to a server on this machine; it is as quick as any until it is told otherwise. */
export async function openSlowLine(serverPort: number): Promise<SlowLine> {
  const sockets = new Set<Socket>()
  const line = { port: 0, delayMs: 0, close }

  const server = createServer(near => {
    const far = connect(serverPort, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    near.on('data', bytes => {
      if (line.delayMs === 0) far.write(bytes)
      else setTimeout(() => far.write(bytes), line.delayMs)
    })
    far.pipe(near)
  })

  async function close(): Promise<void> {
    const closed = new Promise(resolve => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  line.port = (server.address() as AddressInfo).port // a server that listens on a port has one
  return line
}
