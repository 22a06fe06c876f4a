/** An upstream to test against: a real HTTP server on a free port whose answers a test writes itself. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type UpstreamRequest = {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
  readonly body: Record<string, unknown>
}

/** Answers one request; `response` is Node's own, so that an answer can be cut, split or left open at will. */
export type UpstreamHandler = (request: UpstreamRequest, response: ServerResponse) => unknown

export type Upstream = {
  /** Ends before `/chat/completions`, as a provider's base URL does. */
  readonly baseUrl: string
  /** Every request that was received whole, in order. */
  readonly requests: UpstreamRequest[]
  /** Requests whose connection was closed by the other side before they were answered. */
  readonly cancelled: UpstreamRequest[]
  /** The number being answered now, and the most there ever were at one time. */
  readonly load: { now: number; peak: number }
  respond(handler: UpstreamHandler): void
  close(): Promise<void>
}

const OPEN_BRACE = 0x7b

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The members of a JSON body; none of a body in another format. */
function readBody(bytes: Buffer): Record<string, unknown> {
  return bytes[0] === OPEN_BRACE ? JSON.parse(bytes.toString()) : {}
}

/** Starts an upstream; until told otherwise it answers every chat and embeddings request well. */
export async function startUpstream(first: UpstreamHandler = answerWell): Promise<Upstream> {
  let handler = first
  const requests: UpstreamRequest[] = []
  const cancelled: UpstreamRequest[] = []
  const load = { now: 0, peak: 0 }
  const server = createServer((incoming, response) => {
    void (async () => {
      const bytes = await readAll(incoming)
      const request = {
        path: incoming.url ?? '',
        headers: incoming.headers,
        bytes,
        body: readBody(bytes),
      }
      requests.push(request)
      load.now++
      load.peak = Math.max(load.peak, load.now)
      response.once('close', () => {
        load.now--
        if (!response.writableEnded) cancelled.push(request)
      })
      await handler(request, response)
    })().catch(() => incoming.socket.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a server that listens on a port has one
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    cancelled,
    load,
    respond: next => {
      handler = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

export type Usage = Record<string, unknown>

export const DEFAULT_USAGE: Usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

/** A whole chat answer. `usage: null` leaves the report out. */
export function chatReply(
  content: string,
  { model = 'upstream-model', usage = DEFAULT_USAGE as Usage | null } = {},
) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    ...(usage === null ? {} : { usage }),
  }
}

/** A chunk of a stream that carries a delta of the first choice. */
export function chatChunk(delta: object, finishReason: string | null = null, model = 'upstream-model') {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  }
}

/** The chunk that carries nothing but the report. */
export function usageChunk(usage: Usage = DEFAULT_USAGE, model = 'upstream-model') {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model,
    choices: [],
    usage,
  }
}

/** The data of a whole stream: role, one delta a word, finish reason, report, end. */
export function chatStream(
  words: readonly string[],
  { usage = DEFAULT_USAGE as Usage | null } = {},
): string[] {
  return [
    chatChunk({ role: 'assistant', content: '' }),
    ...words.map(word => chatChunk({ content: word })),
    chatChunk({}, 'stop'),
    ...(usage === null ? [] : [usageChunk(usage)]),
  ]
    .map(chunk => JSON.stringify(chunk))
    .concat('[DONE]')
}

/** One event of a stream as bytes. */
export function event(data: string | object): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

export function sendJson(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** An upstream that answers every request with an error of this status. */
export const failWith =
  (status: number, headers: Record<string, string> = {}): UpstreamHandler =>
  (_request, response) =>
    sendJson(response, { error: { message: 'no' } }, status, headers)

/** Begins a stream and writes the given data, one event each; the caller ends it. */
export function beginSse(response: ServerResponse, data: readonly (string | object)[] = []): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for (const item of data) response.write(event(item))
}

/** Answers as a server in good health does. */
export function answerWell({ path, body }: UpstreamRequest, response: ServerResponse): void {
  const model = String(body.model)
  if (path.endsWith('/embeddings')) {
    const inputs = Array.isArray(body.input) ? body.input : [body.input]
    const embedding =
      body.encoding_format === 'base64'
        ? Buffer.from(Float32Array.from([0.25, -0.5, 1]).buffer).toString('base64')
        : [0.25, -0.5, 1]
    sendJson(response, {
      object: 'list',
      data: inputs.map((_input, index) => ({ object: 'embedding', index, embedding })),
      model,
      usage: { prompt_tokens: 8, total_tokens: 8 },
    })
  } else if (body.stream === true) {
    beginSse(response, chatStream(['Hello', ' there', '!']))
    response.end()
  } else {
    sendJson(response, chatReply('Hello there!', { model }))
  }
}
