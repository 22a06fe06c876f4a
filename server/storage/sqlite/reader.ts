import { Worker } from 'node:worker_threads'
import { StorageUnavailable } from '../storage.ts'
import type { ReaderReply, ReaderRequest } from './protocol.ts'

type Waiting = {
  readonly resolve: (result: { rows: unknown[]; changes: number }) => void
  readonly reject: (error: Error) => void
}

/** The event loop's end of a reader thread: one statement in, its rows out, in the order they were asked. */
export class SqliteReader {
  readonly #worker: Worker
  readonly #opened: Promise<void>
  readonly #waiting = new Map<number, Waiting>()
  #nextId = 1
  #failure: Error | null = null

  constructor(path: string) {
    this.#worker = new Worker(new URL('./reader-worker.ts', import.meta.url), { workerData: { path } })
    this.#opened = new Promise((resolve, reject) => {
      this.#worker.once('message', (message: ReaderReply) => {
        if (message.kind === 'failed-to-open') reject(new Error(message.message))
        else resolve()
      })
      this.#worker.once('error', reject)
    })
    this.#worker.on('message', (message: ReaderReply) => this.#receive(message))
    this.#worker.on('error', error => this.#fail(error instanceof Error ? error : new Error(String(error))))
    this.#worker.on('exit', () => this.#fail(new Error('the database is closed')))
  }

  opened(): Promise<void> {
    return this.#opened
  }

  query(sql: string, parameters: readonly unknown[]): Promise<{ rows: unknown[]; changes: number }> {
    if (this.#failure) return Promise.reject(new StorageUnavailable(this.#failure.message))
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      const message: ReaderRequest = { id, sql, parameters }
      this.#worker.postMessage(message)
    })
  }

  #receive(message: ReaderReply): void {
    if (message.kind !== 'rows' && message.kind !== 'fault') return
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.kind === 'rows') waiting?.resolve(message)
    else waiting?.reject(new StorageUnavailable(message.message))
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const waiting of this.#waiting.values())
      waiting.reject(new StorageUnavailable(this.#failure.message))
    this.#waiting.clear()
  }

  async close(): Promise<void> {
    if (this.#failure) return
    const exited = new Promise<void>(resolve => this.#worker.once('exit', () => resolve()))
    this.#worker.postMessage('close')
    await exited
  }
}
