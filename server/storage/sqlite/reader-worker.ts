/** A thread that only reads: a snapshot of the database a statement, or of a whole transaction when one is begun. */
import { parentPort, workerData } from 'node:worker_threads'
import { SqliteConnection } from './connection.ts'
import type { ReaderReply, ReaderRequest } from './protocol.ts'

if (!parentPort) throw new Error('This module runs as a worker thread')
const port = parentPort

function reply(message: ReaderReply): void {
  port.postMessage(message)
}

function answer(connection: SqliteConnection, { id, sql, parameters }: ReaderRequest): ReaderReply {
  try {
    const { rows, changes } = connection.query(sql, parameters)
    return { kind: 'rows', id, rows, changes }
  } catch (error) {
    return { kind: 'fault', id, message: error instanceof Error ? error.message : String(error) }
  }
}

try {
  const connection = new SqliteConnection(workerData.path, { readOnly: true })
  port.on('message', (message: ReaderRequest | 'close') => {
    if (message === 'close') {
      connection.close()
      port.close()
      return
    }
    reply(answer(connection, message))
  })
  reply({ kind: 'ready' })
} catch (error) {
  reply({ kind: 'failed-to-open', message: error instanceof Error ? error.message : String(error) })
  port.close()
}
