import type { Server } from 'node:net'

/** Tells run.ts which port this process listens on, and ends with it: nothing is left behind when it is killed. */
export function announcePort(server: Server): void {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  process.on('disconnect', () => process.exit(0))
  process.send?.({ port: address.port })
}
