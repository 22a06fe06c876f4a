/** What we accept, another reader takes in the same way; where we refuse more than it does, that is fine. */
import fc from 'fast-check'
import { Pool } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Transport } from '../transport.ts'
import type { AnswerHeaders } from './answer-head.ts'
import { AnswerParser } from './answer-parser.ts'
import { mutationOf, validAnswer } from './answers.fixture.ts'
import { createHttpTransport } from './http-transport.ts'
import { type CallOutcome, call, startWireServer, type WireServer } from './wire.fixture.ts'

let bytes = Buffer.alloc(0)
let server: WireServer
let transport: Transport
let pool: Pool
beforeAll(async () => {
  server = await startWireServer(socket => socket.end(bytes))
  transport = createHttpTransport({ maxIdleMs: 0 })
  pool = new Pool(server.origin, { pipelining: 0, allowH2: false })
})
afterAll(async () => {
  await Promise.all([transport.close(), pool.destroy(), server.close()])
})

/** What undici makes of it, whose parser is Node's own (llhttp). */
async function callByUndici(): Promise<Omit<CallOutcome & { kind: 'answer' }, 'pieces'> | null> {
  try {
    const { statusCode, headers, body } = await pool.request({
      path: '/',
      method: 'POST',
      body: '{}',
    })
    const pieces: Buffer[] = []
    for await (const piece of body) pieces.push(piece)
    return { kind: 'answer', status: statusCode, headers, body: Buffer.concat(pieces).toString('latin1') }
  } catch {
    return null
  }
}

/** Without the blanks that undici leaves at the end of a value, where they are no part of it (RFC 9110, section 5.5). */
function withoutBlanks(headers: AnswerHeaders): AnswerHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(trimEnd) : trimEnd(value ?? ''),
    ]),
  )
}

const trimEnd = (text: string) => text.replace(/[\t ]+$/, '')

/** The bytes up to where we see the end of the answer; undici gives up answers that others follow in one packet. */
function withoutWhatFollows(answer: Buffer): Buffer {
  let isWhole = false
  const parser = new AnswerParser({
    head: () => {},
    data: () => {},
    end: () => {
      isWhole = true
    },
  })
  parser.begin()
  try {
    for (const [at, byte] of answer.entries()) {
      parser.push(Buffer.from([byte]))
      if (isWhole) return answer.subarray(0, at + 1)
    }
  } catch {
    // Not valid: there is no end.
  }
  return answer
}

async function expectSameReading(sent: Buffer): Promise<boolean> {
  const answer = withoutWhatFollows(sent)
  bytes = Buffer.from(answer)
  const ours = await call(transport, server.origin).outcome
  // Undici hangs up at `100 Continue`, which every client has to be able to take: RFC 9110, section 15.2.
  if (ours.kind === 'failed' || answer.includes('HTTP/1.1 100')) return false
  const { pieces: _pieces, ...reading } = ours
  const theirs = await callByUndici()
  expect({ ...reading, headers: withoutBlanks(ours.headers) }).toEqual(
    theirs && { ...theirs, headers: withoutBlanks(theirs.headers) },
  )
  return true
}

test('a valid answer', async () => {
  await fc.assert(
    fc.asyncProperty(validAnswer, async ({ bytes }) => {
      expect(await expectSameReading(bytes)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('a mutated answer', async () => {
  let accepted = 0
  let total = 0
  const mutated = validAnswer.chain(({ bytes }) => mutationOf(bytes))
  await fc.assert(
    fc.asyncProperty(mutated, async bytes => {
      total++
      if (await expectSameReading(bytes)) accepted++
    }),
    { numRuns: 1_000 },
  )
  // Neither all nor nothing, or nothing was compared.
  expect(accepted).toBeGreaterThan(total / 20)
  expect(accepted).toBeLessThan(total)
})
