/**
 * Two accounts side by side: whatever route there is, and whatever of the other's identifiers is put into it, nothing of
 * the other account is shown and nothing of it is changed. The routes are those that are registered, and what belongs to
 * an account is found in the tables: routes and tables to come are swept, too.
 */
import type { RouteOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { eventually } from '#test/support/eventually.ts'
import { CHAT, CHAT_PATH, MODEL, type Stage, startStage } from '#test/support/stage.ts'

type Person = { readonly email: string; readonly password: string; cookie: string }

const ada: Person = { email: 'ada@example.org', password: 'a password of Ada', cookie: '' }
const bob: Person = { email: 'bob@example.org', password: 'a password of Bob', cookie: '' }
const secrets = ['ada@example.org', 'Ada Lovelace', 'The key of Ada', 'A grant for Ada']

let stage: Stage
/** Everything that belongs to Ada's account, and the identifiers among it. */
let belongings: string[]
let identifiers: string[]
let keyOfAda: string

beforeAll(async () => {
  stage = await startStage()
  const { admin } = stage.gateway
  await open(ada, 'sign-up', { ...ada, name: 'Ada Lovelace' })
  await open(bob, 'sign-up', { ...bob, name: 'Bob' })
  await admin.call('PATCH', '/admin/settings', { invoice_instructions: 'Pay here' })
  const price = { amount: 100, currency: 'EUR' }
  const onSale = await admin.call<{ id: string }>('POST', '/admin/packages', { name: 'P', credits: 5, price })
  for (const person of [ada, bob]) {
    const { account } = JSON.parse((await ask(person, 'GET', '/client/me')).text)
    const grant = { amount: 10, kind: 'grant', note: person === ada ? 'A grant for Ada' : 'hello' }
    await admin.call('POST', `/admin/accounts/${account.id}/credits`, grant)
    await ask(person, 'POST', '/client/orders', { package_id: onSale.id })
    const name = person === ada ? 'The key of Ada' : 'A key'
    const made = JSON.parse((await ask(person, 'POST', '/client/keys', { name })).text)
    expect((await stage.call(CHAT_PATH, CHAT, { token: made.token })).status).toBe(200)
    if (person === ada) keyOfAda = made.id
  }
  const { text } = await ask(ada, 'GET', '/client/me')
  const { user, account } = JSON.parse(text)
  // When a key was last used is written a moment after the answer: it may not come in between two looks.
  await eventually(async () => {
    const { data } = JSON.parse((await ask(ada, 'GET', '/client/keys')).text)
    expect(data).toMatchObject([{ id: keyOfAda, last_used_at: expect.any(String) }])
  })
  belongings = [...(await findBelongings([user.id, account.id])).keys()]
  identifiers = belongings.filter(id => /^[a-z]+_[0-9a-z]{26}$/.test(id))
})
afterAll(() => stage.close())

/** Opens a session in place of the person's last one. */
async function open(person: Person, door: 'sign-up' | 'sign-in', body: object): Promise<void> {
  const response = await fetch(`${stage.gateway.url}/client/${door}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.ok).toBe(true)
  person.cookie = response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
}

async function ask(person: Person, method: string, path: string, body?: object) {
  const response = await fetch(stage.gateway.url + path, {
    method,
    redirect: 'manual',
    headers: { cookie: person.cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, text: await response.text() }
}

/** All rows that hold one of the identifiers, or that of a row that does; by their own identifier. */
async function findBelongings(roots: readonly string[]): Promise<Map<string, object>> {
  const { db } = stage.gateway.app.storage
  const rows: Record<string, unknown>[] = []
  for (const { name } of await db.introspection.getTables()) {
    // The tables are told by the store itself, those that this test knows nothing of included.
    rows.push(
      ...(await db
        .selectFrom(name as 'accounts')
        .selectAll()
        .execute()),
    )
  }
  const found = new Map<string, object>(roots.map(id => [id, {}]))
  for (let before = -1; before < found.size; ) {
    before = found.size
    for (const row of rows) {
      const isOurs = Object.values(row).some(value => typeof value === 'string' && found.has(value))
      if (isOurs) found.set(String(row.id ?? JSON.stringify(Object.values(row).map(String))), row)
    }
  }
  return found
}

/** What may be put into the field of a query or a body: what it asks for, with Ada's identifiers wherever one fits. */
function valuesFor(name: string, schema: z.core.JSONSchema.BaseSchema, id: string): unknown {
  if (/(^|_)id$/.test(name)) return id
  if (name === 'email') return ada.email
  if (name === 'model') return MODEL
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'string') return 'x'.repeat(Math.max(12, schema.minLength ?? 0))
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (schema.type === 'boolean') return true
  if (schema.type === 'array') return []
  return null
}

function fill(schema: unknown, id: string, wanted: (name: string) => boolean): Record<string, unknown> {
  if (!(schema instanceof z.ZodType)) return {}
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const fields = Object.entries(properties).filter(([name]) => wanted(name))
  return Object.fromEntries(
    fields.map(([name, field]) => [name, valuesFor(name, typeof field === 'object' ? field : {}, id)]),
  )
}

type Call = { readonly method: string; readonly path: string; readonly body?: object }

/** The ways in which one identifier can be put into a route. */
function callsOf({ method: methods, url, schema }: RouteOptions, id: string): Call[] {
  const path = url.replace(/:\w+|\*/g, encodeURIComponent(id))
  const inQuery = fill(schema?.querystring, id, name => /(^|_)id$/.test(name))
  const query = new URLSearchParams(Object.entries(inQuery).map(([name, value]) => [name, String(value)]))
  const body = fill(schema?.body, id, () => true)
  return [methods].flat().map(method => ({
    method,
    path: query.size > 0 ? `${path}?${query}` : path,
    ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
  }))
}

/** One identifier of each kind. */
const oneOfAKind = () => new Map(identifiers.map(id => [id.slice(0, 4), id])).values()
const routes = () => stage.gateway.app.routes.filter(({ url }) => url.startsWith('/client/'))
/** What holds more than one identifier's worth of Ada's is told by its own words. */
const marks = (sent: string) => [...secrets, ...identifiers].filter(mark => !sent.includes(mark))

test('Ada sees what is hers, so that there is something to hide', async () => {
  const shown: string[] = []
  for (const route of routes().filter(({ method }) => method === 'GET')) {
    for (const id of identifiers) {
      for (const { method, path } of callsOf(route, id)) shown.push((await ask(ada, method, path)).text)
    }
  }
  const all = shown.join('\n')
  for (const secret of secrets) expect(all).toContain(secret)
  for (const prefix of ['acc_', 'usr_', 'key_', 'req_', 'led_', 'ord_', 'ses_']) {
    const ids = identifiers.filter(id => id.startsWith(prefix))
    expect([prefix, ids.filter(id => all.includes(id)).length > 0]).toEqual([prefix, true])
  }
})

test('Bob sees and changes nothing of it, whatever he asks of any route', async () => {
  const before = await findBelongings(belongings)
  expect(routes().length).toBeGreaterThan(30)
  const asked = new Set<string>()
  for (const route of routes()) {
    for (const id of oneOfAKind()) {
      for (const { method, path, body } of callsOf(route, id)) {
        const call = JSON.stringify([method, path, body])
        if (asked.has(call)) continue
        asked.add(call)
        const { text, status } = await ask(bob, method, path, body)
        const sent = path + JSON.stringify(body ?? {})
        expect({
          route: `${method} ${route.url}`,
          shown: marks(sent).filter(mark => text.includes(mark)),
        }).toEqual({
          route: `${method} ${route.url}`,
          shown: [],
        })
        expect([method, path, status < 500]).toEqual([method, path, true])
        // Some routes end the session that asks.
        if (status === 204 || status === 401) await open(bob, 'sign-in', bob)
      }
    }
  }
  expect(await findBelongings(belongings)).toEqual(before)
})

test("Bob can't use Ada's key up, nor revoke it", async () => {
  expect((await ask(bob, 'DELETE', `/client/keys/${keyOfAda}`)).status).toBe(404)
  expect((await ask(bob, 'PATCH', `/client/keys/${keyOfAda}`, { name: 'mine' })).status).toBe(404)
  const chat = await ask(bob, 'POST', `/client/playground/chat/completions?key_id=${keyOfAda}`, CHAT)
  expect(chat.status).toBeGreaterThanOrEqual(400)
  expect((await ask(ada, 'GET', '/client/live')).text).toContain('"requests":1')
})
