/** Requests without a pause, and what became of each. */
import { CHAT } from './nodes.ts'

export type Answered = {
  readonly status: number
  readonly requestId: string
  readonly text: string
  readonly ms: number
}

/** One chat request, read to its end. */
export async function chat(url: string, token: string, body: object = CHAT): Promise<Answered> {
  const begunMs = performance.now()
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  const requestId = response.headers.get('x-request-id') ?? ''
  return { status: response.status, requestId, text, ms: performance.now() - begunMs }
}

export type Load = {
  /** What was answered so far; an attempt whose connection broke has status 0. */
  readonly answers: readonly Answered[]
  /** Stops asking; resolves when the last request is answered. */
  stop(): Promise<readonly Answered[]>
}

export type LoadOptions = {
  readonly clients: number
  /** Where the next request of a client goes. */
  readonly urlFor: (client: number) => string
  readonly token: string
  readonly body?: object
}

/** Clients that ask again as soon as they are answered, each with streams and plain answers in turn. */
export function startLoad({ clients, urlFor, token, body = CHAT }: LoadOptions): Load {
  const answers: Answered[] = []
  let isStopped = false

  async function ask(client: number): Promise<void> {
    for (let turn = client; !isStopped; turn++) {
      const begunMs = performance.now()
      const answer = await chat(urlFor(client), token, { ...body, stream: turn % 2 === 0 }).catch(
        (error: unknown) => ({
          status: 0,
          requestId: '',
          text: String(error),
          ms: performance.now() - begunMs,
        }),
      )
      answers.push(answer)
      // A node that is gone refuses connections faster than anybody could use the news.
      if (answer.status !== 200) await new Promise(resolve => setTimeout(resolve, 10))
    }
  }

  const asking = Array.from({ length: clients }, (_, client) => ask(client))
  return {
    answers,
    stop: async () => {
      isStopped = true
      await Promise.all(asking)
      return answers
    },
  }
}

/** How many answers there were of each status. */
export function tallyOf(answers: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
