import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/**
 * Sends pieces of text as they are made: the next is asked for when the client has read what is there. A client that
 * leaves ends the making of them. A piece that can't be made cuts the connection, so that nobody takes a part for all.
 */
function sendPieces(reply: FastifyReply, type: string, pieces: AsyncIterable<string>): FastifyReply {
  return reply.type(type).send(Readable.from(pieces, { objectMode: false }))
}

export type SentFile = { readonly name: string; readonly type: string }

/** Sends text as a file to be kept, under that name. */
export function sendFile(
  reply: FastifyReply,
  { name, type }: SentFile,
  pieces: AsyncIterable<string>,
): FastifyReply {
  reply.header('content-disposition', `attachment; filename="${name}"`)
  return sendPieces(reply, `${type}; charset=utf-8`, pieces)
}

/** Sends a list whose items come a few at a time: `envelope` holds all members but `data`. */
export function sendList<Item>(
  reply: FastifyReply,
  envelope: Readonly<Record<string, unknown>>,
  batches: AsyncIterable<readonly Item[]>,
): FastifyReply {
  return sendPieces(reply, 'application/json; charset=utf-8', listPieces(envelope, batches))
}

async function* listPieces<Item>(
  envelope: Readonly<Record<string, unknown>>,
  batches: AsyncIterable<readonly Item[]>,
): AsyncGenerator<string> {
  const head = JSON.stringify(envelope).slice(0, -1)
  let before = `${head},"data":[`
  for await (const items of batches) {
    if (items.length === 0) continue
    yield before + items.map(item => JSON.stringify(item)).join(',')
    before = ','
  }
  yield before === ',' ? ']}' : `${before}]}`
}
