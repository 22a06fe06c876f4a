import net from 'node:net'

/** A port that nobody listens on at this moment. */
export async function findFreePort(): Promise<number> {
  const server = net.createServer()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen({ host: '127.0.0.1', port: 0 }, resolve)
  await promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no free port')
  const closed = Promise.withResolvers<void>()
  server.close(() => closed.resolve())
  await closed.promise
  return address.port
}
