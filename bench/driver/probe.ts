import { openConnection } from './connection.ts'
import { DIALECTS } from './dialects.ts'
import { portFor, type Target } from './jobs.ts'
import { PUBLIC_MODEL, wholeRequest } from './requests.ts'

function textAt(value: unknown, path: readonly (string | number)[]): string {
  let at = value
  for (const name of path) {
    // Every object and array may be asked for any name; what is missing is undefined.
    at = typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[name] : undefined
  }
  return String(at)
}

/**
 * Makes one request, reads its reply with care, and returns the length in bytes that all later replies must have.
 * It counts as a succeeded request.
 */
export function probeReplyLength(target: Target): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const pieces: Buffer[] = []
  let status = 0
  const connection = openConnection({
    port: portFor(target, 0),
    onFailure: reject,
    onOpen: opened =>
      opened.send(wholeRequest(target), {
        onHead: received => {
          status = received
        },
        onBody: bytes => void pieces.push(Buffer.from(bytes)),
        onEnd: () => {
          const body = Buffer.concat(pieces)
          if (status !== 200) throw new Error(`status ${status}: ${body.toString('utf8', 0, 300)}`)
          const reply: unknown = JSON.parse(body.toString('utf8'))
          const dialect = DIALECTS[target.dialect]
          if (!textAt(reply, dialect.textAt).startsWith('The same answer'))
            throw new Error(`not the reply of ${PUBLIC_MODEL}: ${body}`)
          if (textAt(reply, dialect.countAt) !== String(dialect.count)) {
            throw new Error(`not the usage: ${body}`)
          }
          resolve(body.length)
        },
      }),
  })
  return promise.finally(() => connection.close())
}
