/** A load balancer as small as can be: turn by turn, to nodes that are ready, and on to the next one when one refuses. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const READINESS_EVERY_MS = 100

export type Balancer = {
  readonly url: string
  close(): Promise<void>
}

/** `nodes` gives the URLs of all nodes there are; which of them get requests follows from `/health/ready`. */
export async function startBalancer(nodes: () => readonly string[]): Promise<Balancer> {
  let ready: readonly string[] = []
  let turn = 0

  async function look(): Promise<void> {
    const states = await Promise.all(
      nodes().map(async url => {
        const isReady = await fetch(`${url}/health/ready`).then(
          response => response.ok,
          () => false,
        )
        return { url, isReady }
      }),
    )
    ready = states.filter(({ isReady }) => isReady).map(({ url }) => url)
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece)
    const rotation = ready.map((_url, index) => ready[(index + turn) % ready.length] ?? '')
    turn++
    for (const url of rotation) {
      const answer = await ask(url, incoming, Buffer.concat(pieces))
      if (answer === 'refused') continue
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
      return
    }
    response.writeHead(502).end('No node takes the request')
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(error => response.writeHead(502).end(String(error)))
  })
  await look()
  const looking = setInterval(() => void look(), READINESS_EVERY_MS)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a server that listens on a port has one
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      clearInterval(looking)
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A node that takes no connection, or answers that it is going, has done nothing with the request. */
function ask(url: string, { method, url: path, headers }: IncomingMessage, body: Buffer) {
  return new Promise<IncomingMessage | 'refused'>((resolve, reject) => {
    const asking = request(`${url}${path}`, { method, headers, agent: false })
    asking.once('response', response => {
      if (response.statusCode !== 503) return resolve(response)
      response.resume()
      resolve('refused')
    })
    asking.once('error', error => {
      if ('code' in error && error.code === 'ECONNREFUSED') resolve('refused')
      else reject(error)
    })
    asking.end(body)
  })
}
