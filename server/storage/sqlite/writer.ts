import { Worker } from 'node:worker_threads'
import { StorageUnavailable } from '../storage.ts'
import { packUnits, unpackOutcomes } from './packing.ts'
import type { GroupOutcome, UnitOutcome, WriterReply, WriterRequest, WriteUnit } from './protocol.ts'

type Waiting = {
  readonly unit: WriteUnit
  readonly resolve: (outcome: UnitOutcome) => void
  readonly reject: (error: Error) => void
}

/** While one group is being committed, the next waits at the thread's door, so that neither side waits for the other. */
const MAX_GROUPS_IN_FLIGHT = 2
/** Larger groups hardly save more of the commit's cost, but make the first of them wait for the last. */
const MAX_UNITS_IN_GROUP = 32
/** A group of so many waits for no more: what a commit costs is shared well enough by then. */
const WORTHWHILE_UNITS = 16

/**
 * The event loop's end of the writer thread. Whatever is submitted while groups are being committed goes out
 * together, so the cost of a commit is shared by the requests of one moment. Units are committed in their order.
 */
export class SqliteWriter {
  readonly #worker: Worker
  readonly #opened: Promise<void>
  #waiting: Waiting[] = []
  /** Groups that are being committed, the oldest first: they are answered in this order. */
  #inFlight: Waiting[][] = []
  #scheduled = false
  #closed: Promise<void> | null = null
  #failure: Error | null = null

  constructor(path: string) {
    this.#worker = new Worker(new URL('./writer-worker.ts', import.meta.url), { workerData: { path } })
    this.#opened = new Promise((resolve, reject) => {
      this.#worker.once('message', (message: WriterReply) => {
        if (message.kind === 'failed-to-open') reject(new Error(message.message))
        else resolve()
      })
      this.#worker.once('error', reject)
    })
    this.#worker.on('message', (message: WriterReply) => {
      if (message.kind === 'written') this.#settle(message.group)
    })
    this.#worker.on('error', error => this.#fail(error instanceof Error ? error : new Error(String(error))))
    this.#worker.on('exit', () => this.#fail(new Error('the database is closed')))
  }

  /** Resolves when the database is open and its schema up to date; rejects with the reason if it can't be. */
  opened(): Promise<void> {
    return this.#opened
  }

  get isOpen(): boolean {
    return this.#failure === null
  }

  /** Resolves with what became of the unit, after its commit. */
  submit(unit: WriteUnit): Promise<UnitOutcome> {
    if (this.#failure) return Promise.reject(new StorageUnavailable(this.#failure.message))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ unit, resolve, reject })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#scheduled || !this.#canSend()) return
    this.#scheduled = true
    this.#gather(this.#waiting.length)
  }

  /** Sends at the end of a turn of the event loop that has submitted nothing more: a busy loop fills its groups. */
  #gather(before: number): void {
    setImmediate(() => {
      const waiting = this.#waiting.length
      if (waiting > before && waiting < WORTHWHILE_UNITS) {
        this.#gather(waiting)
        return
      }
      this.#scheduled = false
      this.#send()
    })
  }

  #canSend(): boolean {
    return this.#waiting.length > 0 && this.#inFlight.length < MAX_GROUPS_IN_FLIGHT && !this.#failure
  }

  #send(): void {
    while (this.#canSend()) {
      const group = this.#waiting.splice(0, MAX_UNITS_IN_GROUP)
      this.#inFlight.push(group)
      const message: WriterRequest = { kind: 'write', units: packUnits(group.map(({ unit }) => unit)) }
      this.#worker.postMessage(message)
    }
  }

  #settle(group: GroupOutcome): void {
    const settled = this.#inFlight.shift() ?? []
    this.#send()
    const outcomes = unpackOutcomes(group)
    settled.forEach((waiting, index) => {
      const outcome = outcomes[index]
      if (outcome && outcome.kind !== 'fault') waiting.resolve(outcome)
      else waiting.reject(new StorageUnavailable(outcome?.message ?? 'the database gave no answer'))
    })
  }

  #fail(error: Error): void {
    this.#failure ??= error
    const lost = [...this.#inFlight.flat(), ...this.#waiting]
    this.#inFlight = []
    this.#waiting = []
    for (const waiting of lost) waiting.reject(new StorageUnavailable(this.#failure.message))
  }

  /** Lets what was submitted be committed, then closes the database. */
  close(): Promise<void> {
    this.#closed ??= this.#drainAndClose()
    return this.#closed
  }

  async #drainAndClose(): Promise<void> {
    while (!this.#failure && (this.#inFlight.length > 0 || this.#waiting.length > 0)) {
      await new Promise(resolve => setImmediate(resolve))
    }
    if (this.#failure) return
    const exited = new Promise<void>(resolve => this.#worker.once('exit', () => resolve()))
    const message: WriterRequest = { kind: 'close' }
    this.#worker.postMessage(message)
    await exited
  }
}
