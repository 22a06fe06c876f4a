import { Connections } from './connections.ts'
import { reasonOf } from './faults.ts'
import { NoAnswer, withPatience } from './patience.ts'
import { Session } from './session.ts'

/**
 * `serving`: the server answers. `away`: it does not, or what was kept back meanwhile is not settled yet. `unknown`: it
 * answers, but a newer version of the service has changed the schema.
 */
export type StoreState = 'serving' | 'away' | 'unknown'

export type WatchEvent =
  | { readonly kind: 'away'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly migration: string }
  | { readonly kind: 'serving'; readonly awayMs: number }

/** Together they bound how long anybody waits for a server that has stopped answering: less than two seconds. */
const PAUSE_MS = 500
const PATIENCE_MS = 1_200
const GOODBYE_MS = 500
/** While it is away nothing is served, so the return is looked for more often. */
const PAUSE_WHILE_AWAY_MS = 200

/** A standby that has not taken over yet answers too. */
const LOOK = "select name, current_setting('transaction_read_only') from kysely_migration"

export type StoreWatchParts = {
  readonly url: string
  readonly knownMigrations: ReadonlySet<string>
  /** Called when the server is found to be away: whoever still waits for it should be told. */
  readonly onAway: () => void
  /** Called when it answers again, before anything is served; while this rejects, the server is held to be away. */
  readonly recover: () => Promise<void>
  readonly report: (event: WatchEvent) => void
}

/** Asks the server again and again whether it is there, and whether its schema is one that this version knows. */
export class StoreWatch {
  readonly #parts: StoreWatchParts
  readonly #connections: Connections
  readonly #session: Session
  #state: StoreState = 'serving'
  #awaySinceMs = 0
  #wake: () => void = () => {}
  /** Rises whenever somebody finds the server away: a look that began before it proves nothing. */
  #alarms = 0
  #isStopped = false
  readonly #ended: Promise<void>

  constructor(parts: StoreWatchParts) {
    this.#parts = parts
    this.#connections = new Connections(parts.url)
    this.#session = new Session(() => this.#connections.config('watch'))
    this.#ended = this.#watch()
  }

  get state(): StoreState {
    return this.#state
  }

  /** Looks at once, instead of at the next turn: somebody's connection was lost. */
  suspect(): void {
    this.#wake()
  }

  /** Holds the server to be away until it has been found and recovered. */
  declareAway(reason: string): void {
    this.#alarms++
    if (this.#state === 'away') return
    if (this.#state === 'serving') this.#awaySinceMs = performance.now()
    this.#state = 'away'
    this.#parts.report({ kind: 'away', reason })
    this.#parts.onAway()
    this.#wake()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#wake()
    await this.#ended
    await withPatience(this.#session.close(), GOODBYE_MS).catch(() => {})
    this.#connections.shut()
  }

  async #watch(): Promise<void> {
    while (!this.#isStopped) {
      await this.#pause(this.#state === 'away' ? PAUSE_WHILE_AWAY_MS : PAUSE_MS)
      if (!this.#isStopped) await this.#look()
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #look(): Promise<void> {
    const alarms = this.#alarms
    try {
      const stranger = await this.#findUnknownMigration()
      if (this.#state === 'away') await this.#parts.recover()
      if (alarms === this.#alarms) this.#answered(stranger)
    } catch (error) {
      this.declareAway(reasonOf(error))
    }
  }

  #answered(stranger: string | undefined): void {
    if (stranger !== undefined) {
      if (this.#state !== 'unknown') this.#parts.report({ kind: 'unknown', migration: stranger })
      this.#state = 'unknown'
    } else if (this.#state !== 'serving') {
      this.#state = 'serving'
      this.#parts.report({ kind: 'serving', awayMs: Math.round(performance.now() - this.#awaySinceMs) })
    }
  }

  /** The name of a migration that was made by a newer version. Throws when the server does not answer. */
  async #findUnknownMigration(): Promise<string | undefined> {
    try {
      return await this.#ask()
    } catch (error) {
      this.#connections.shut()
      this.#connections.reopen()
      // A connection may end while its server is well, as in a quick restart; silence is another matter.
      if (error instanceof NoAnswer) throw error
      return await this.#ask()
    }
  }

  async #ask(): Promise<string | undefined> {
    const { rows } = await withPatience(
      this.#session.open().then(run => run({ text: LOOK })),
      PATIENCE_MS,
    )
    const [first] = rows
    if (first?.[1] === 'on') throw new Error('the database can only be read')
    return rows.flatMap(([name]) => name ?? []).find(name => !this.#parts.knownMigrations.has(name))
  }
}
