import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type DeferrablePosting, fromLine, toLine } from './record-line.ts'

type Waiting = {
  readonly line: string
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** A file that is only ever added to. What is added together reaches the disk together. */
export class JournalWriter {
  readonly path: string
  readonly #file: FileHandle
  #waiting: Waiting[] = []
  #writing: Promise<void> | null = null
  /** What a write that failed has left of a line is not to take the next one with it. */
  #isTorn = false

  private constructor(path: string, file: FileHandle) {
    this.path = path
    this.#file = file
  }

  /** Makes the file, which must not exist yet. */
  static async create(path: string): Promise<JournalWriter> {
    const file = await open(path, 'ax', 0o600)
    // The name has to outlive a power cut as well.
    const folder = await open(dirname(path))
    await folder.sync().finally(() => folder.close())
    return new JournalWriter(path, file)
  }

  /** Resolves when the posting is on the disk. */
  append(posting: DeferrablePosting): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: toLine(posting), resolve, reject })
      this.#writing ??= this.#writeAll().finally(() => {
        this.#writing = null
      })
    })
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting
      this.#waiting = []
      try {
        const start = this.#isTorn ? '\n' : ''
        this.#isTorn = true
        await this.#file.appendFile(start + group.map(({ line }) => line).join(''))
        this.#isTorn = false
        await this.#file.datasync()
        for (const { resolve } of group) resolve()
      } catch (error) {
        for (const { reject } of group) reject(error instanceof Error ? error : new Error(String(error)))
      }
    }
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    while (this.#writing !== null) await this.#writing
    await this.#file.close()
  }
}

export type JournalRecord =
  | { readonly kind: 'posting'; readonly posting: DeferrablePosting }
  /** A line that is not as it was written. `isTail`: it is the last one and has no end, as a kill leaves it. */
  | { readonly kind: 'damaged'; readonly isTail: boolean }

/** The records of a journal that nobody writes to, in their order. */
export async function* readJournal(path: string): AsyncGenerator<JournalRecord> {
  let carried = ''
  for await (const piece of createReadStream(path, 'utf8')) {
    // No line reader: those take more characters than one for the end of a line.
    const lines = (carried + piece).split('\n')
    carried = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield toRecord(line, false)
  }
  if (carried !== '') yield toRecord(carried, true)
}

function toRecord(line: string, isTail: boolean): JournalRecord {
  const posting = fromLine(line)
  return posting ? { kind: 'posting', posting } : { kind: 'damaged', isTail }
}
