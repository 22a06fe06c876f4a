/**
 * The cheapest upstream that still speaks HTTP/1.1: it finds the end of a request and answers with fixed bytes, so
 * that it is never what is measured. Run as a process of its own by run.ts; it tells its port to its parent.
 */
import net from 'node:net'
import { ANTHROPIC_WIRE } from './fixed/anthropic.ts'
import { CHAT_WIRE } from './fixed/chat.ts'
import { GEMINI_WIRE } from './fixed/gemini.ts'
import { RESPONSES_WIRE } from './fixed/responses.ts'
import type { FixedWire } from './fixed/wire.ts'
import { createPacedStreams, type PacedStreams } from './paced-streams.ts'
import { announcePort } from './parent.ts'

const HEAD_END = Buffer.from('\r\n\r\n')

type FoundRequest = { readonly path: string; readonly bodyStart: number; readonly end: number }

/** Where the request that begins at `start` has its body and its end; null when not all of it is there yet. */
function findRequest(bytes: Buffer, start: number): FoundRequest | null {
  const headEnd = bytes.indexOf(HEAD_END, start)
  if (headEnd < 0) return null
  const head = bytes.toString('latin1', start, headEnd)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error('a request without content-length')
  const bodyStart = headEnd + HEAD_END.length
  const end = bodyStart + Number(length)
  return bytes.length < end ? null : { path: head.split(' ', 2)[1] ?? '', bodyStart, end }
}

/** The protocol of a path. */
function wireOf(path: string): FixedWire {
  if (path.endsWith('/messages')) return ANTHROPIC_WIRE
  if (path.endsWith('/responses')) return RESPONSES_WIRE
  return path.includes(':') ? GEMINI_WIRE : CHAT_WIRE
}

/** The number of content chunks that a streaming call asks for; null for a call that does not stream. */
function chunksAskedFor(path: string, body: string): number | null {
  const streams = path.includes(':streamGenerateContent') || /"stream" *: *true/.test(body)
  if (!streams) return null
  return Number(
    /"(?:max_completion_tokens|max_output_tokens|max_tokens|maxOutputTokens)" *: *(\d+)/.exec(body)?.[1] ?? 1,
  )
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
      const wire = wireOf(request.path)
      const chunks = chunksAskedFor(request.path, bytes.toString('latin1', request.bodyStart, request.end))
      if (chunks === null) {
        socket.write(wire.reply)
      } else {
        socket.write(wire.streamHead, 'latin1')
        streams.add(socket, wire, chunks)
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
