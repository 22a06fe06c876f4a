/** The one thread that writes. It migrates the database first, then commits group after group. */
import { fdatasync, open } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { migrate } from '../migrations/migrate.ts'
import { SqliteConnection } from './connection.ts'
import { localKysely } from './local-kysely.ts'
import { packOutcomes, unpackUnits } from './packing.ts'
import type { WriterReply, WriterRequest, WriteUnit } from './protocol.ts'
import { writeGroup } from './write-group.ts'

/**
 * A process that is killed loses nothing that was committed: the log is with the operating system by then. A power cut
 * may take what has not reached the disk; charges get there within this time, all else before its commit returns.
 */
const FLUSH_INTERVAL_MS = 25

if (!parentPort) throw new Error('This module runs as a worker thread')
const port = parentPort
const path: string = workerData.path

function reply(message: WriterReply): void {
  port.postMessage(message)
}

async function openAndMigrate(): Promise<SqliteConnection> {
  const connection = new SqliteConnection(path, { readOnly: false })
  await migrate(localKysely(connection), { engine: 'sqlite' })
  return connection
}

/** Flushes the write-ahead log to the disk soon after charges were committed, without holding up the next group. */
class LogFlusher {
  #logFile: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(databasePath: string) {
    open(`${databasePath}-wal`, 'r', (error, file) => {
      if (!error) this.#logFile = file
    })
  }

  /** Whether it can do its work; where it can't, every commit has to wait for the disk itself. */
  get isReady(): boolean {
    return this.#logFile !== undefined
  }

  schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (this.#logFile === undefined) return
      fdatasync(this.#logFile, error => {
        // From here on each commit waits for the disk itself, and says what is wrong with it.
        if (error) this.#logFile = undefined
      })
    }, FLUSH_INTERVAL_MS)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

/** Charges and usage records may reach the disk a moment later; money that came in and settings may not. */
function mayFlushLater(units: readonly WriteUnit[]): boolean {
  return units.every(unit => unit.kind === 'posting' && (unit.entry === null || unit.entry[1] === 'charge'))
}

function serve(connection: SqliteConnection): void {
  const flusher = new LogFlusher(path)
  let synchronous = ''
  port.on('message', (message: WriterRequest) => {
    if (message.kind === 'close') {
      flusher.stop()
      connection.close()
      port.close()
      return
    }
    const units = unpackUnits(message.units)
    const later = flusher.isReady && mayFlushLater(units)
    const wanted = later ? 'normal' : 'full'
    if (wanted !== synchronous) {
      connection.database.exec(`pragma synchronous = ${wanted}`)
      synchronous = wanted
    }
    const outcomes = writeGroup(connection, units)
    reply({ kind: 'written', group: packOutcomes(outcomes) })
    if (later) flusher.schedule()
  })
  reply({ kind: 'ready' })
}

try {
  serve(await openAndMigrate())
} catch (error) {
  reply({ kind: 'failed-to-open', message: error instanceof Error ? error.message : String(error) })
  port.close()
}
