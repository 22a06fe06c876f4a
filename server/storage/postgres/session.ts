import { Client, type ClientConfig } from 'pg'
import { bindParameters } from './parameters.ts'
import type { TextResult } from './read-rows.ts'

export type SessionQuery = {
  /** A statement with a name is planned once a connection. */
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/** Runs queries in the order in which they are handed in, without waiting in between for the answers. */
export type RunQuery = (query: SessionQuery) => Promise<TextResult>

/** One connection of one writer: opened when it is first needed, and again after it broke. */
export class Session {
  readonly #config: () => ClientConfig
  #opening: Promise<Client> | null = null
  #isClosed = false

  constructor(config: () => ClientConfig) {
    this.#config = config
  }

  /** Resolves when there is a connection. What is run with the result is all run on this one or fails with it. */
  async open(): Promise<RunQuery> {
    if (this.#isClosed) throw new Error('the database is closed')
    this.#opening ??= this.#connect()
    const client = await this.#opening
    const together = sendTogether(client)
    return ({ name, text, values = [] }) => {
      together()
      return client.query({
        ...(name === undefined ? {} : { name }),
        text,
        values: bindParameters(values),
        rowMode: 'array',
      })
    }
  }

  #connect(): Promise<Client> {
    const client = new Client({ ...this.#config(), pipeline: true })
    const opening = client.connect()
    const forget = () => {
      if (this.#opening === opening) this.#opening = null
    }
    client.on('error', forget)
    client.on('end', forget)
    opening.catch(forget)
    return opening
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const client = await this.#opening?.catch(() => null)
    await client?.end()
  }
}

/** Makes one write of all queries that are handed in together: each write wakes the server's process. */
function sendTogether({ connection: { stream } }: Client): () => void {
  let isHolding = false
  return () => {
    if (isHolding) return
    isHolding = true
    stream.cork()
    process.nextTick(() => {
      isHolding = false
      stream.uncork()
    })
  }
}

/** Runs all of them together, waits for each, and fails as the first of them did. */
export async function runAll(run: RunQuery, queries: readonly SessionQuery[]): Promise<TextResult[]> {
  const sent = queries.map(query => run(query))
  await Promise.allSettled(sent)
  return Promise.all(sent)
}
