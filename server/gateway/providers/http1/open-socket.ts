import { Buffer } from 'node:buffer'
import { connect, isIP, type OnReadOpts, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { TlsSessions } from './tls-sessions.ts'

/** Where an origin's server is, in the words that sockets and requests use. */
export type Address = {
  readonly origin: string
  readonly isSecure: boolean
  /** A name or an address, without brackets. */
  readonly hostname: string
  readonly port: number
  /** As the `host` field says it: without the port where that is the scheme's own. */
  readonly host: string
}

/** Throws TypeError for what is no origin of `http:` or `https:`. */
export function readOrigin(origin: string): Address {
  const { protocol, hostname, port, host } = new URL(origin)
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`Not an origin of HTTP: ${origin}`)
  const isSecure = protocol === 'https:'
  return {
    origin,
    isSecure,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    host,
  }
}

const READ_BYTES = 64 * 1024
/** All connections read into this: what arrives is copied out before anything else is read. */
const READ_ROOM = Buffer.allocUnsafeSlow(READ_BYTES)

/** Calls back with a copy of whatever arrives. */
function readInto(onBytes: (bytes: Buffer) => void): OnReadOpts {
  return {
    buffer: READ_ROOM,
    callback: length => {
      const bytes = Buffer.allocUnsafe(length)
      READ_ROOM.copy(bytes, 0, 0, length)
      onBytes(bytes)
      return true
    },
  }
}

/** A probe finds connections whose other side has vanished without a word. */
const PROBE_AFTER_MS = 60_000

/**
 * Begins to connect. Addresses of both families are tried as Node does by default; certificates are checked against the
 * name, and a TLS session of an earlier connection is resumed. The socket is ready at `connect`, or at `secureConnect`.
 */
export function openSocket(
  address: Address,
  sessions: TlsSessions,
  onBytes: (bytes: Buffer) => void,
): Socket {
  const options = { host: address.hostname, port: address.port, onread: readInto(onBytes) }
  const socket = address.isSecure ? openSecurely(address, sessions, options) : connect(options)
  socket.setNoDelay(true)
  socket.setKeepAlive(true, PROBE_AFTER_MS)
  return socket
}

function openSecurely(
  { origin, hostname }: Address,
  sessions: TlsSessions,
  options: ConnectionOptions,
): Socket {
  const session = sessions.find(origin)
  const socket = connectTls({
    ...options,
    ALPNProtocols: ['http/1.1'],
    // Addresses are not names that a server could be asked for: RFC 6066, section 3.
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    ...(session ? { session } : {}),
  })
  socket.on('session', made => sessions.keep(origin, made))
  socket.on('error', () => sessions.forget(origin))
  return socket
}
