import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Serve } from '#server/http/client-exchange.ts'
import { Connection, type ConnectionParts } from './connection.ts'

const TICK_MS = 1_000

/** As long as packets that were sent together take. */
const MAX_AWAITED_MS = 50

/**
 * Has every connection of an HTTP server begin at the front door: what is surely in order is read there, and given to
 * `serve`; a connection over which anything else comes, or that `serve` leaves untouched, is node's from then on, with
 * all that was not served. The rest of a request that does not come whole is waited for, but not for long.
 */
export function openFrontDoor(server: Server, serve: Serve, maxAwaitedMs = MAX_AWAITED_MS): void {
  const connections = new Set<Connection>()
  const keepAliveSeconds = Math.floor(server.keepAliveTimeout / 1000)
  const parts: ConnectionParts = {
    serve,
    keepAliveSeconds,
    // A second more than is promised, as node has it: who asks in the last moment is still heard.
    maxIdleTicks: keepAliveSeconds + 1,
    maxAwaitedMs,
    adopt: takeOffListener(server),
    refuse: (error, socket) => {
      server.emit('clientError', error, socket)
    },
    onGone: connection => connections.delete(connection),
  }
  server.on('connection', (socket: Socket) => connections.add(new Connection(socket, parts)))

  const ticking = setInterval(() => {
    for (const connection of connections) connection.tick()
  }, TICK_MS).unref()
  server.once('close', () => clearInterval(ticking))
}

/** Takes off the listener by which node serves connections. Giving a server a connection by it is documented: `connection`. */
function takeOffListener(server: Server): (socket: Socket) => void {
  const [listener, ...others] = server.listeners('connection')
  if (!listener || others.length > 0) throw new Error('The server has listeners that nobody knows')
  server.removeAllListeners('connection')
  return socket => listener.call(server, socket)
}
