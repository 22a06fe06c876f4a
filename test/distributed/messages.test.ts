/** What one node changes holds on all: within a second by messages, within five without them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Overview } from '#contract/overview.ts'
import { ADMIN, makeCaller, makeModel, signInAsAdmin } from '#test/support/admin-client.ts'
import { eventually } from '#test/support/eventually.ts'
import { chat } from '#test/support/load.ts'
import { CHAT, type ServiceNodes, startNodes } from '#test/support/nodes.ts'
import { answerWell } from '#test/support/upstream.ts'

let service: ServiceNodes
beforeAll(async () => {
  service = await startNodes(3)
}, 60_000)
afterAll(() => service.close())

const on = (index: number) => service.node(index)
const others = [1, 2]

/** Whether both other nodes answer a chat request with this status. */
async function expectStatus(status: number, token: string, body: object = CHAT): Promise<void> {
  const answers = await Promise.all(others.map(index => chat(on(index).url, token, body)))
  expect(answers.map(answer => answer.status)).toEqual([status, status])
}

type Case = {
  readonly name: string
  /** Prepares it on all nodes, and gives the change and what has to hold of it on the others. */
  readonly prepare: () => Promise<{ change: () => Promise<unknown>; holds: () => Promise<void> }>
}

const cases: readonly Case[] = [
  {
    name: 'a revoked key',
    prepare: async () => {
      const { keyId, token } = await makeCaller(on(0).admin)
      await expectStatus(200, token)
      return {
        change: () => on(0).admin.call('DELETE', `/admin/keys/${keyId}`),
        holds: () => expectStatus(401, token),
      }
    },
  },
  {
    name: 'a suspended account',
    prepare: async () => {
      const { accountId, token } = await makeCaller(on(0).admin)
      await expectStatus(200, token)
      return {
        change: () => on(0).admin.call('PATCH', `/admin/accounts/${accountId}`, { status: 'suspended' }),
        holds: () => expectStatus(401, token),
      }
    },
  },
  {
    name: 'a closed account',
    prepare: async () => {
      const { accountId, token } = await makeCaller(on(0).admin)
      const { name } = await on(0).admin.call<{ name: string }>('GET', `/admin/accounts/${accountId}`)
      await expectStatus(200, token)
      return {
        change: () => on(0).admin.call('POST', `/admin/accounts/${accountId}/close`, { confirm: name }),
        holds: () => expectStatus(401, token),
      }
    },
  },
  {
    name: 'a limit of a key',
    prepare: async () => {
      const { keyId, token } = await makeCaller(on(0).admin)
      await expectStatus(200, token)
      return {
        change: () => on(0).admin.call('PATCH', `/admin/keys/${keyId}`, { limits: { requests: 1 } }),
        holds: () => expectStatus(429, token),
      }
    },
  },
  {
    name: 'a limit of all keys',
    prepare: async () => {
      const { token } = await makeCaller(on(0).admin)
      const settings = (requests: number) =>
        on(0).admin.call('PATCH', '/admin/settings', { default_limits: { requests } })
      await settings(600)
      await expectStatus(200, token)
      return { change: () => settings(1), holds: () => expectStatus(429, token) }
    },
  },
  {
    name: 'a model that is taken away',
    prepare: async () => {
      const id = `short-lived-${Math.random()}`
      await on(0).admin.call('PATCH', '/admin/settings', { default_limits: { requests: 600 } })
      const { token } = await makeCaller(on(0).admin)
      await makeModel(on(0).admin, id, { routes: [{ baseUrl: service.upstream.baseUrl }] })
      const body = { ...CHAT, model: id }
      await eventually(() => expectStatus(200, token, body))
      return {
        change: () => on(0).admin.call('PATCH', `/admin/models/${id}`, { enabled: false }),
        holds: () => expectStatus(404, token, body),
      }
    },
  },
  {
    name: 'credits of an account that had none',
    prepare: async () => {
      const { accountId, token } = await makeCaller(on(0).admin, { credits: 0 })
      await expectStatus(429, token)
      const grant = { amount: 1, kind: 'grant', note: '' }
      return {
        change: () => on(0).admin.call('POST', `/admin/accounts/${accountId}/credits`, grant),
        holds: () => expectStatus(200, token),
      }
    },
  },
]

test.each(cases)('$name holds on the other nodes within a second', async ({ prepare }) => {
  const { change, holds } = await prepare()
  await change()
  await eventually(holds, 1_000)
})

test('without Redis each of them holds within five seconds', async () => {
  // The nodes are to know these well before the messages are gone.
  const prepared = []
  for (const { prepare } of cases.filter(({ name }) => name !== 'a limit of all keys'))
    prepared.push(await prepare())
  await service.redis.kill()
  try {
    await eventually(() => expectHealth('degraded', 'down'), 2_000)
    await Promise.all(
      prepared.map(async ({ change, holds }) => {
        await change()
        await eventually(holds, 5_000)
      }),
    )
  } finally {
    await service.redis.restart()
  }
  await eventually(() => expectHealth('ok', 'ok'), 10_000)
}, 40_000)

async function expectHealth(status: string, redis: string): Promise<void> {
  for (const { url } of service.nodes) {
    const response = await fetch(`${url}/health`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ status, stores: { database: 'ok', redis } })
    expect((await fetch(`${url}/health/ready`)).status).toBe(200)
  }
}

test('a session is good on every node, and ends on all of them', async () => {
  const { cookie, admin } = await signIn(on(0).url)
  for (const { url } of service.nodes) expect(await meStatus(url, cookie)).toBe(200)
  await admin.call('POST', '/admin/sign-out')
  for (const { url } of service.nodes) expect(await meStatus(url, cookie)).toBe(401)
})

async function signIn(url: string) {
  const response = await fetch(`${url}/admin/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  const cookie = (response.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  const admin = {
    call: (method: string, path: string) => fetch(`${url}${path}`, { method, headers: { cookie } }),
  }
  return { cookie, admin }
}

const meStatus = async (url: string, cookie: string) =>
  (await fetch(`${url}/admin/me`, { headers: { cookie } })).status

test('failed sign-ins are counted over all nodes', async () => {
  const attempt = async (index: number) => {
    const response = await fetch(`${on(index % 3).url}/client/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@example.org', password: 'wrong password' }),
    })
    return response.status
  }
  const statuses = await Promise.all(Array.from({ length: 15 }, (_, index) => attempt(index)))
  expect(statuses.filter(status => status === 401)).toHaveLength(10)
  expect(statuses.filter(status => status === 429)).toHaveLength(5)
})

test('each node knows all nodes, and what the others are busy with', async () => {
  const { token } = await makeCaller(on(0).admin)
  const answer = Promise.withResolvers<void>()
  service.upstream.respond(async (request, response) => {
    await answer.promise
    answerWell(request, response)
  })
  const held = chat(on(1).url, token, CHAT)
  try {
    await eventually(async () => {
      const { nodes, in_flight } = await on(0).admin.call<Overview>('GET', '/admin/overview')
      expect(nodes.map(({ state, redis }) => [state, redis])).toEqual(Array(3).fill(['serving', 'ok']))
      expect(nodes.filter(({ answers }) => answers)).toHaveLength(1)
      expect(in_flight).toBeGreaterThanOrEqual(1)
    }, 10_000)
  } finally {
    answer.resolve()
    service.upstream.respond(answerWell)
  }
  expect((await held).status).toBe(200)
})

test('nodes that were started at once have one administrator and one secret', async () => {
  for (const { url } of service.nodes) await signInAsAdmin(url)
})
