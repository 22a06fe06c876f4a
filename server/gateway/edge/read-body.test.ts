import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { BodyBudget, readBody } from './read-body.ts'

const BUDGET_BYTES = 2 * 1024 * 1024 * 1024

/** A request whose body comes in pieces of unknown length. */
function chunkedRequest(pieces: readonly Buffer[]): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  request.headers['content-type'] = 'application/json'
  for (const piece of pieces) request.push(piece)
  request.push(null)
  return request
}

test('a body without an announced length that finds no room is told that there is none, not that it is too large', async () => {
  const budget = new BodyBudget()
  budget.hold(BUDGET_BYTES - 10)
  const read = await readBody(
    { request: chunkedRequest([Buffer.alloc(8), Buffer.alloc(8)]), endpoint: 'chat' },
    budget,
  )
  expect(read).toMatchObject({ ok: false, refusal: { status: 503, type: 'service_unavailable' } })
  // What was held for it is free again.
  expect(budget.hasRoomFor(10)).toBe(true)
})

test('what is only announced takes no room: it shuts nobody else out', async () => {
  const budget = new BodyBudget()
  const silent = new IncomingMessage(new Socket())
  silent.headers['content-type'] = 'application/json'
  silent.headers['content-length'] = String(32 * 1024 * 1024)
  const waiting = readBody({ request: silent, endpoint: 'chat' }, budget)
  expect(budget.hasRoomFor(BUDGET_BYTES)).toBe(true)
  silent.destroy()
  expect(await waiting).toMatchObject({ ok: false, refusal: 'client-left' })
})
