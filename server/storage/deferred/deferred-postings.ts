import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Lock, tryLock } from './folder-lock.ts'
import { JournalWriter, readJournal } from './journal.ts'
import type { DeferrablePosting } from './record-line.ts'

/** `<process>.<number>.journal`, and `<process>.lock` for all journals of a process. */
const NAME = /^([a-z0-9-]+)(?:\.(\d+)\.journal|\.lock)$/
/** Added to the name of a journal that holds something which can't be posted: a person has to look at it. */
const KEPT = '.kept'
/** So many are on their way to the store at once. */
const CHUNK = 128

/** Makes a posting; says by false that it will never be possible, and throws when it is not possible now. */
export type MakePosting = (posting: DeferrablePosting) => Promise<boolean>

export type Replayed = {
  readonly postings: number
  /** The journals that were kept since not everything in them could be posted, under their new names. */
  readonly kept: readonly string[]
}

/**
 * What could not be posted while the store was away, on this node's disk. Nodes may share the folder: each process has
 * journals of its own, and those of one that has ended belong to whoever starts next.
 */
export class DeferredPostings {
  readonly #folder: string
  readonly #processName: string
  readonly #ownLock: Lock
  /** Of processes that have ended, until their journals are replayed. */
  #adopted: Lock[]
  /** The journals that nobody writes to any more, the oldest first. */
  #closed: string[]
  #current: Promise<JournalWriter> | null = null
  #journalsMade = 0

  private constructor(
    folder: string,
    own: { readonly name: string; readonly lock: Lock },
    left: { readonly locks: Lock[]; readonly journals: string[] },
  ) {
    this.#folder = folder
    this.#processName = own.name
    this.#ownLock = own.lock
    this.#adopted = left.locks
    this.#closed = left.journals
  }

  /** Takes over what processes that have ended have left in the folder, which is made if need be. */
  static async open(folder: string): Promise<DeferredPostings> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Names sort by their age.
    const name = `${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`
    const lock = tryLock(join(folder, `${name}.lock`))
    if (!lock) throw new Error(`${folder} can't be locked`)
    return new DeferredPostings(folder, { name, lock }, await takeOver(folder, name))
  }

  /** Resolves when the posting is on the disk. */
  append(posting: DeferrablePosting): Promise<void> {
    this.#current ??= this.#begin()
    return this.#current.then(writer => writer.append(posting))
  }

  /** Makes everything that was deferred, in its order. Throws when the store is away (again): nothing is lost by it. */
  async replay(make: MakePosting): Promise<Replayed> {
    let postings = 0
    const kept: string[] = []
    for (;;) {
      // What is deferred meanwhile goes to a journal of its own, whose turn comes next.
      if (this.#closed.length === 0) await this.#closeCurrent()
      const [path] = this.#closed
      if (path === undefined) break
      const { made, isWhole } = await replayJournal(path, make)
      postings += made
      if (isWhole) await rm(path)
      else {
        await rename(path, path + KEPT)
        kept.push(path + KEPT)
      }
      this.#closed.shift()
    }
    for (const lock of this.#adopted) lock.release({ remove: true })
    this.#adopted = []
    return { postings, kept }
  }

  /** Leaves what waits to the next start. */
  async close(): Promise<void> {
    await this.#closeCurrent()
    for (const lock of this.#adopted) lock.release({ remove: false })
    this.#ownLock.release({ remove: this.#closed.length === 0 })
  }

  #begin(): Promise<JournalWriter> {
    const number = String(this.#journalsMade++).padStart(6, '0')
    const begun = JournalWriter.create(join(this.#folder, `${this.#processName}.${number}.journal`))
    begun.catch(() => {
      this.#current = null
    })
    return begun
  }

  async #closeCurrent(): Promise<void> {
    const current = this.#current
    this.#current = null
    // Whoever was to append has done so by then: they asked for it first.
    const writer = await current?.catch(() => null)
    if (!writer) return
    await writer.close()
    this.#closed.push(writer.path)
  }
}

async function takeOver(folder: string, ownName: string): Promise<{ locks: Lock[]; journals: string[] }> {
  const files = (await readdir(folder)).sort()
  const names = new Set(files.map(file => NAME.exec(file)?.[1]).filter(name => name !== ownName))
  const locks: Lock[] = []
  const journals: string[] = []
  for (const name of names) {
    const lock = name === undefined ? null : tryLock(join(folder, `${name}.lock`))
    if (!lock) continue
    locks.push(lock)
    const own = files.filter(file => NAME.exec(file)?.[1] === name && file.endsWith('.journal'))
    journals.push(...own.map(file => join(folder, file)))
  }
  return { locks, journals }
}

async function replayJournal(
  path: string,
  make: MakePosting,
): Promise<{ readonly made: number; readonly isWhole: boolean }> {
  let made = 0
  let isWhole = true
  let chunk: DeferrablePosting[] = []
  const makeChunk = async () => {
    const results = await Promise.allSettled(chunk.map(make))
    for (const result of results) {
      if (result.status === 'rejected') throw result.reason
      if (result.value) made++
      else isWhole = false
    }
    chunk = []
  }
  for await (const record of readJournal(path)) {
    // What a kill has cut off was never promised to anybody.
    if (record.kind === 'damaged') isWhole &&= record.isTail
    else if (chunk.push(record.posting) === CHUNK) await makeChunk()
  }
  await makeChunk()
  return { made, isWhole }
}
