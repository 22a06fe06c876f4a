/** What one node finds out of a route, the others need not find out for themselves. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller, makeModel } from '#test/support/admin-client.ts'
import { askChat } from '#test/support/ask-chat.ts'
import { eventually } from '#test/support/eventually.ts'
import { type ServiceNodes, startNodes } from '#test/support/nodes.ts'
import { answerWell, sendJson, startUpstream, type Upstream } from '#test/support/upstream.ts'

const ID = 'shared/model'

let service: ServiceNodes
let spare: Upstream
let token: string
beforeAll(async () => {
  service = await startNodes(2)
  spare = await startUpstream()
  const { admin } = service.node(0)
  await makeModel(admin, ID, { routes: [{ baseUrl: service.upstream.baseUrl }, { baseUrl: spare.baseUrl }] })
  token = (await makeCaller(admin)).token
  await eventually(async () => expect(await call(1)).toBe(200))
}, 60_000)
afterAll(async () => {
  await service.close()
  await spare.close()
})

async function call(node: number): Promise<number> {
  return (await askChat({ url: service.node(node).url, token, model: ID })).status
}

test('a route that rests on one node rests on the other, until one of them has had an answer from it', async () => {
  const { upstream } = service
  upstream.respond((_request, response) => sendJson(response, { error: { message: 'no' } }, 500))
  for (let count = 0; count < 3; count++) expect(await call(0)).toBe(200)
  const asked = upstream.requests.length
  // The message is on its way while the third call is answered.
  await eventually(() => expect(service.node(0).output()).toContain('a route rests'))
  expect(await call(1)).toBe(200)
  expect(upstream.requests.length - asked).toBeLessThanOrEqual(1)
  const known = upstream.requests.length
  for (let count = 0; count < 3; count++) expect(await call(1)).toBe(200)
  expect(upstream.requests).toHaveLength(known)

  upstream.respond(answerWell)
  await eventually(async () => {
    await call(0)
    expect(upstream.requests.length).toBeGreaterThan(known)
  })
  await eventually(async () => {
    const before = upstream.requests.length
    expect(await call(1)).toBe(200)
    expect(upstream.requests).toHaveLength(before + 1)
  }, 1_000)
})
