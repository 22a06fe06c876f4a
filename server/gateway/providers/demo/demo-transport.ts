/**
 * The demonstration upstream: an OpenAI-compatible server within the process, that needs no network and no key. It
 * says back what it was told, word by word, and reports its usage as a real one does.
 */
import { toBytes } from '#lib/pieces.ts'
import type { Transport, TransportControl, TransportHandler, TransportRequest } from '../transport.ts'

const WORD_INTERVAL_MS = 15
const CHARS_PER_TOKEN = 4

type Message = { readonly role?: unknown; readonly content?: unknown }

type DemoRequest = {
  readonly model: string
  readonly messages: readonly Message[]
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
}

export function createDemoTransport(): Transport {
  return {
    send(request, handler) {
      // The gateway has checked the body against the chat schema before it sends it anywhere.
      const body = JSON.parse(Buffer.concat(request.body.map(toBytes)).toString('utf8')) as DemoRequest
      const exchange = new DemoExchange(request, body, handler)
      setImmediate(() => exchange.begin())
      return exchange
    },
    close: async () => {},
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map(part => (typeof part?.text === 'string' ? part.text : '')).join(' ')
}

function countTokens(text: string): number {
  return Math.max(1, Math.ceil(text.length / CHARS_PER_TOKEN))
}

class DemoExchange implements TransportControl {
  readonly #id: string
  readonly #body: DemoRequest
  readonly #handler: TransportHandler
  readonly #answer: string
  #pending: Buffer[] = []
  #timer: NodeJS.Timeout | null = null
  #isOver = false

  constructor(request: TransportRequest, body: DemoRequest, handler: TransportHandler) {
    this.#id = `chatcmpl-${request.requestId}`
    this.#body = body
    this.#handler = handler
    const asked = body.messages.findLast(message => message.role === 'user')
    this.#answer = `You said: ${textOf(asked?.content)}`
  }

  begin(): void {
    if (this.#isOver) return
    const isStream = this.#body.stream === true
    this.#handler.headers(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    this.#pending = isStream ? this.#events() : [Buffer.from(JSON.stringify(this.#reply()))]
    this.resume()
  }

  pause(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  resume(): void {
    if (this.#isOver || this.#timer) return
    this.#timer = setTimeout(() => this.#step(), this.#body.stream === true ? WORD_INTERVAL_MS : 0)
  }

  abort(): void {
    this.#isOver = true
    this.pause()
  }

  #step(): void {
    this.#timer = null
    const next = this.#pending.shift()
    if (next) {
      this.resume()
      this.#handler.data(next)
    } else {
      this.#isOver = true
      this.#handler.ended()
    }
  }

  #usage() {
    const prompt = this.#body.messages.reduce((sum, message) => sum + countTokens(textOf(message.content)), 0)
    const completion = countTokens(this.#answer)
    return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
  }

  #reply() {
    return {
      ...this.#head('chat.completion'),
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: this.#answer, refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: this.#usage(),
    }
  }

  #events(): Buffer[] {
    const words = this.#answer.match(/\S+\s*/g) ?? []
    const deltas = [{ role: 'assistant', content: '' }, ...words.map(word => ({ content: word }))]
    const chunks: object[] = deltas.map(delta => this.#chunk([{ index: 0, delta, finish_reason: null }]))
    chunks.push(this.#chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]))
    if (this.#body.stream_options?.include_usage) chunks.push({ ...this.#chunk([]), usage: this.#usage() })
    return [...chunks.map(chunk => JSON.stringify(chunk)), '[DONE]'].map(data =>
      Buffer.from(`data: ${data}\n\n`),
    )
  }

  #chunk(choices: readonly object[]) {
    return { ...this.#head('chat.completion.chunk'), choices }
  }

  #head(object: string) {
    return { id: this.#id, object, created: Math.floor(Date.now() / 1000), model: this.#body.model }
  }
}
