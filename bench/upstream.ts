/**
 * The cheapest upstream that still speaks HTTP/1.1: it finds the end of a request and answers with fixed bytes, so
 * that it is never what is measured. Run as a process of its own by run.ts; it tells its port to its parent.
 */
import net from 'node:net'
import { CHAT_REPLY, STREAM_HEAD } from './fixed-replies.ts'
import { createPacedStreams, type PacedStreams } from './paced-streams.ts'
import { announcePort } from './parent.ts'

const HEAD_END = Buffer.from('\r\n\r\n')

/** Where the request that begins at `start` has its body and its end; null when not all of it is there yet. */
function findRequest(bytes: Buffer, start: number): { bodyStart: number; end: number } | null {
  const headEnd = bytes.indexOf(HEAD_END, start)
  if (headEnd < 0) return null
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', start, headEnd))?.[1]
  if (length === undefined) throw new Error('a request without content-length')
  const bodyStart = headEnd + HEAD_END.length
  const end = bodyStart + Number(length)
  return bytes.length < end ? null : { bodyStart, end }
}

/** The number of content chunks that a streaming call asks for; null for a call that does not stream. */
function chunksAskedFor(body: string): number | null {
  if (!/"stream" *: *true/.test(body)) return null
  return Number(/"max_completion_tokens" *: *(\d+)/.exec(body)?.[1] ?? 1)
}

function serve(socket: net.Socket, streams: PacedStreams): void {
  let carried: Buffer | null = null
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (read: Buffer) => {
    const bytes: Buffer = carried ? Buffer.concat([carried, read]) : read
    let at = 0
    while (at < bytes.length) {
      const request = findRequest(bytes, at)
      if (request === null) break
      const chunks = chunksAskedFor(bytes.toString('latin1', request.bodyStart, request.end))
      if (chunks === null) {
        socket.write(CHAT_REPLY)
      } else {
        socket.write(STREAM_HEAD, 'latin1')
        streams.add(socket, chunks)
      }
      at = request.end
    }
    carried = at < bytes.length ? bytes.subarray(at) : null
  })
}

const intervalMs = Number(process.argv[2] ?? 50)
const streams = createPacedStreams(intervalMs)
const server = net.createServer(socket => serve(socket, streams))
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => announcePort(server))
