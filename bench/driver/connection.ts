import net from 'node:net'
import { portFor, type Target } from './jobs.ts'
import { ReplyParser, type ReplySink } from './reply-parser.ts'

/** A keep-alive connection that carries one request at a time. */
export type Connection = {
  /** Sends a request and has its reply told to `sink`; only once the last reply has ended. */
  send(request: string, sink: ReplySink): void
  close(): void
}

/**
 * All connections read into this one buffer, since what was read is dealt with before the next read: a buffer for
 * each read would cost more than the reading. Whoever wants to keep bytes copies them.
 */
const readBuffer = Buffer.allocUnsafe(65_536)

export type ConnectionOptions = {
  readonly port: number
  readonly onOpen: (connection: Connection) => void
  /** Called at most once, for whatever keeps a reply from being whole, the sink's own objections included. */
  readonly onFailure: (error: Error) => void
}

export function openConnection({ port, onOpen, onFailure }: ConnectionOptions): Connection {
  let sink: ReplySink | null = null
  let over = false
  function fail(cause: unknown): void {
    if (over) return
    over = true
    socket.destroy()
    onFailure(cause instanceof Error ? cause : new Error(String(cause)))
  }

  const parser = new ReplyParser({
    onHead: status => {
      if (sink === null) throw new Error('a reply that nobody asked for')
      sink.onHead(status)
    },
    onBody: bytes => sink?.onBody(bytes),
    onEnd: () => {
      const ended = sink
      sink = null
      ended?.onEnd()
    },
  })

  function read(length: number, buffer: Uint8Array): boolean {
    try {
      parser.feed(length === buffer.length ? readBuffer : readBuffer.subarray(0, length))
    } catch (error) {
      fail(error)
    }
    return true
  }

  const socket = net.connect({
    host: '127.0.0.1',
    port,
    noDelay: true,
    onread: { buffer: readBuffer, callback: read },
  })
  const connection: Connection = {
    send: (request, nextSink) => {
      if (sink !== null) throw new Error('the connection is in use')
      sink = nextSink
      socket.write(request, 'latin1')
    },
    close: () => {
      over = true
      socket.destroy()
    },
  }
  socket.on('connect', () => onOpen(connection))
  socket.on('error', fail)
  socket.on('close', () => fail('the connection was closed under the driver'))
  return connection
}

/** Opens so many connections; resolves when all are open. A failure of any, then or later, goes to `onFailure`. */
export function openConnections(
  target: Target,
  count: number,
  onFailure: (error: Error) => void,
): Promise<readonly Connection[]> {
  return new Promise(resolve => {
    const opened: Connection[] = []
    const onOpen = (connection: Connection) => {
      opened.push(connection)
      if (opened.length === count) resolve(opened)
    }
    for (let i = 0; i < count; i++) openConnection({ port: portFor(target, i), onOpen, onFailure })
  })
}
