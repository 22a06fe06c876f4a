/** Whoever quotes the id of a request that was not let in can be told what became of it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#telemetry/log.ts'
import { makeCaller, type NewCaller } from '#test/support/admin-client.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'

let gateway: TestGateway
let caller: NewCaller
let written = ''
beforeAll(async () => {
  const log = createLog('info', {
    write: line => {
      written += line
    },
  })
  gateway = await startGateway({ log })
  caller = await makeCaller(gateway.admin, { credits: 0, limits: { requests: 1 } })
})
afterAll(() => gateway.close())

/** The lines of the log that bear the request's id. */
async function linesAbout(path: string, init: RequestInit) {
  const response = await fetch(gateway.url + path, init)
  const lines = written
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  return lines.filter(line => line.request_id === response.headers.get('x-request-id'))
}

test('each refusal is one line of the log, without the token', async () => {
  const authorization = `Bearer ${caller.token}`
  const post = { method: 'POST', body: '{}' }
  const refused = (status: number, type: string, keyId: string | null) => ({
    msg: 'request',
    ended: 'refused',
    status,
    key_id: keyId,
    error: { type, code: null },
  })
  const chat = '/v1/chat/completions'
  for (const path of [chat, '/v1/messages/count_tokens']) {
    expect(await linesAbout(path, post)).toMatchObject([refused(401, 'authentication_error', null)])
  }
  expect(await linesAbout(chat, {})).toMatchObject([refused(405, 'invalid_request_error', null)])
  const known = { ...post, headers: { authorization, 'x-request-id': 'theirs' } }
  expect(await linesAbout(chat, known)).toMatchObject([
    { ...refused(429, 'insufficient_quota', caller.keyId), client_request_id: 'theirs' },
  ])
  await linesAbout('/v1/quota', { headers: { authorization } })
  for (const [path, init] of [
    ['/v1/quota', { headers: { authorization } }],
    [chat, known],
  ] as const) {
    expect(await linesAbout(path, init)).toMatchObject([refused(429, 'rate_limit_exceeded', caller.keyId)])
  }
  expect(written).not.toContain(caller.token)
})
