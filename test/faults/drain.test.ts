/** Ending the service cuts off no answer that is still on its way. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeCaller, makeModel } from '#test/support/admin-client.ts'
import { startGateway } from '#test/support/gateway.ts'
import { chatReply, sendJson, startUpstream } from '#test/support/upstream.ts'

/** More than the buffers between two processes hold. */
const CONTENT = 'x'.repeat(24 * 1024 * 1024)

test('a charged answer that its client still reads arrives whole', async () => {
  const upstream = await startUpstream((_request, response) => sendJson(response, chatReply(CONTENT)))
  const gateway = await startGateway()
  await makeModel(gateway.admin, 'big', { routes: [{ baseUrl: upstream.baseUrl }] })
  const caller = await makeCaller(gateway.admin, { credits: 100 })
  const asking = request(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json' },
  })
  asking.end(JSON.stringify({ model: 'big', messages: [{ role: 'user', content: 'Much' }] }))
  const [response]: IncomingMessage[] = await once(asking, 'response')
  if (!response) throw new Error('There is no response')

  const closed = gateway.app.close(20_000)
  await sleep(300)
  let receivedBytes = 0
  for await (const piece of response) receivedBytes += piece.length
  expect(receivedBytes).toBe(Number(response.headers['content-length']))
  await closed
  await upstream.close()
}, 30_000)
