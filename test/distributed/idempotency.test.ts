/** A request with an Idempotency-Key is made once, whichever nodes it is sent to, and though one of them is killed. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller, type NewCaller } from '#test/support/admin-client.ts'
import { askChat } from '#test/support/ask-chat.ts'
import { expectBooksToAddUp, readBooks } from '#test/support/books.ts'
import { eventually } from '#test/support/eventually.ts'
import { MODEL, type ServiceNodes, startNodes } from '#test/support/nodes.ts'
import { chatReply, sendJson } from '#test/support/upstream.ts'

let service: ServiceNodes
let caller: NewCaller
let held: ServerResponse[] = []
beforeAll(async () => {
  service = await startNodes(2)
  caller = await makeCaller(service.node(0).admin)
  service.upstream.respond((_request, response) => {
    held.push(response)
  })
}, 60_000)
afterAll(() => service.close())

async function ask(node: number, key: string) {
  const { status, requestId, text } = await askChat({
    url: service.node(node).url,
    token: caller.token,
    model: MODEL,
    headers: { 'idempotency-key': key },
  })
  return { status, requestId, text }
}

function giveAnswers(): void {
  for (const response of held.splice(0)) sendJson(response, chatReply('Hello'))
}

async function expectCharges(count: number): Promise<void> {
  const storage = await service.openStorage()
  try {
    const books = await readBooks(storage, caller.accountId)
    expectBooksToAddUp(books)
    expect(books.entries.filter(({ kind }) => kind === 'charge')).toHaveLength(count)
  } finally {
    await storage.close()
  }
}

test('repeats on another node wait for the first and get its answer', async () => {
  const calls = [ask(0, 'one'), ask(1, 'one'), ask(0, 'one'), ask(1, 'one')]
  await eventually(() => expect(held).toHaveLength(1))
  giveAnswers()
  const answers = await Promise.all(calls)
  expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  expect(held).toHaveLength(0)
  await expectCharges(1)
})

test('what a killed node was asked is made by the one that waits for it', async () => {
  held = []
  const lost = ask(1, 'two').catch(() => null)
  await eventually(() => expect(held).toHaveLength(1))
  const waiting = ask(0, 'two')
  await service.end(service.node(1), 'SIGKILL')
  expect(await lost).toBeNull()
  await eventually(() => expect(held).toHaveLength(2), 15_000)
  giveAnswers()
  expect((await waiting).status).toBe(200)
  expect(await ask(0, 'two')).toEqual(await waiting)
  await expectCharges(2)
}, 30_000)
