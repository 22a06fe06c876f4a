import { describe, expect, test } from 'vitest'
import {
  ADMINISTRATOR,
  acceptedValue,
  addProvider,
  giveFreshNodes,
  givenRefusal,
  type Node,
} from './catalog.fixture.ts'
import { MASK } from './provider-headers.ts'
import type { ProviderPatch } from './providers.ts'

let node: Node
giveFreshNodes(fresh => {
  node = fresh.node
})

const BASE = { name: 'upstream', kind: 'openai', base_url: 'http://127.0.0.1:9000/v1' } as const
const SECRET = 'sk-very-secret-value-1234567890'

async function callable(id: string) {
  const found = await node.providers.findCallable(id)
  if (found === null || found === 'unreadable') throw new Error('the provider should be readable')
  return found
}

describe('a provider', () => {
  test('has timeouts of 10, 300 and 120 seconds, no headers and no credential unless it says otherwise', async () => {
    const made = acceptedValue(await node.providers.create(BASE, ADMINISTRATOR))
    expect(made).toMatchObject({
      object: 'provider',
      has_credential: false,
      headers: {},
      timeouts: { connect_ms: 10_000, first_byte_ms: 300_000, idle_ms: 120_000 },
      enabled: true,
    })
    expect(await node.providers.find(made.id)).toEqual(made)
  })

  test('keeps timeouts that a patch does not name', async () => {
    const made = acceptedValue(
      await node.providers.create({ ...BASE, timeouts: { connect_ms: 5, idle_ms: 7 } }, ADMINISTRATOR),
    )
    const patched = acceptedValue(
      await node.providers.patch(made.id, { timeouts: { idle_ms: 8 } }, ADMINISTRATOR),
    )
    expect(patched.timeouts).toEqual({ connect_ms: 5, first_byte_ms: 300_000, idle_ms: 8 })
  })

  test.each([
    ['http://127.0.0.1:9000/v1/', 'http://127.0.0.1:9000/v1'],
    ['https://example.org/a/b///', 'https://example.org/a/b'],
    ['https://example.org', 'https://example.org'],
  ])('keeps the base URL %s without slashes at its end', async (given, kept) => {
    expect(
      acceptedValue(await node.providers.create({ ...BASE, base_url: given }, ADMINISTRATOR)).base_url,
    ).toBe(kept)
  })

  test.each([
    'ftp://example.org/v1',
    'file:///etc/passwd',
    'demo:',
    'not a url',
    'https://ada:secret@example.org/v1',
    'https://ada@example.org/v1',
    'https://example.org/v1?key=1',
    'https://example.org/v1#part',
    'https://example.org/v1?',
  ])('can not be at %s', async base_url => {
    const refusal = givenRefusal(await node.providers.create({ ...BASE, base_url }, ADMINISTRATOR))
    expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining('base_url') })
    expect(refusal.message).not.toContain('secret')
  })

  test('of the demonstration has an address that is none', async () => {
    const made = acceptedValue(
      await node.providers.create({ name: 'demo', kind: 'demo', base_url: 'demo:' }, ADMINISTRATOR),
    )
    expect(await callable(made.id)).toMatchObject({ kind: 'demo', baseUrl: 'demo:' })
  })

  test.each(['host', 'Content-Length', 'Transfer-Encoding', 'CONNECTION', 'upgrade', 'content-type'])(
    'can not have the header %s',
    async name => {
      const outcome = await node.providers.create({ ...BASE, headers: { [name]: 'x' } }, ADMINISTRATOR)
      expect(givenRefusal(outcome)).toMatchObject({ status: 400, message: expect.stringContaining(name) })
    },
  )

  test('can not have a header that holds a line break, nor one header twice', async () => {
    const unfit: Record<string, string>[] = [{ 'x-a': 'b\r\nhost: c' }, { 'x-a': '1', 'X-A': '2' }]
    for (const headers of unfit) {
      expect(givenRefusal(await node.providers.create({ ...BASE, headers }, ADMINISTRATOR)).status).toBe(400)
    }
  })

  test('takes a pasted credential without the blanks around it, and none that no header can carry', async () => {
    const made = acceptedValue(
      await node.providers.create({ ...BASE, credential: ` ${SECRET}\n` }, ADMINISTRATOR),
    )
    expect((await callable(made.id)).credential).toBe(SECRET)
    for (const credential of ['   ', 'a\nb', 'schlüssel']) {
      const refusal = givenRefusal(await node.providers.patch(made.id, { credential }, ADMINISTRATOR))
      expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining('credential') })
    }
  })

  test('keeps its credential unless a patch names it; null takes it away', async () => {
    const made = acceptedValue(await node.providers.create({ ...BASE, credential: SECRET }, ADMINISTRATOR))
    const renamed = acceptedValue(await node.providers.patch(made.id, { name: 'other' }, ADMINISTRATOR))
    expect(renamed).toMatchObject({ name: 'other', has_credential: true })
    expect((await callable(made.id)).credential).toBe(SECRET)
    const cleared = acceptedValue(await node.providers.patch(made.id, { credential: null }, ADMINISTRATOR))
    expect(cleared.has_credential).toBe(false)
    expect((await callable(made.id)).credential).toBeNull()
  })

  test('gives what is stored to no other server: with its address, secrets are given again or taken away', async () => {
    const given = {
      ...BASE,
      credential: SECRET,
      further_credentials: [
        { name: 'a', credential: 'sk-a' },
        { name: 'b', credential: 'sk-b' },
      ],
      headers: { 'x-api-key': 'k', 'x-team': 'gold' },
    }
    const { id } = acceptedValue(await node.providers.create(given, ADMINISTRATOR))
    const further = given.further_credentials
    const patch = (body: ProviderPatch) => node.providers.patch(id, body, ADMINISTRATOR)
    for (const base_url of [
      'https://127.0.0.1:9000/v1',
      'http://127.0.0.1:9001/v1',
      'http://evil.example/v1',
    ]) {
      const tries: [ProviderPatch, RegExp][] = [
        [{}, /^credential: must be given again/],
        [{ credential: 'sk-new' }, /^further_credentials\.0\.credential: must be given again/],
        [
          { credential: null, further_credentials: [{ name: 'a', credential: 'sk-a' }, { name: 'b' }] },
          /^further_credentials\.1\.credential: must/,
        ],
        [{ credential: null, further_credentials: [] }, /^headers\.x-api-key: must be given again/],
        [
          { credential: null, further_credentials: further, headers: { 'X-Api-Key': MASK } },
          /^headers\.X-Api-Key: must/,
        ],
      ]
      for (const [body, message] of tries) {
        expect(givenRefusal(await patch({ ...body, base_url }))).toMatchObject({
          status: 400,
          message: expect.stringMatching(message),
        })
        const trial = await node.providers.draft(
          { ...body, base_url, kind: 'openai', provider_id: id },
          ADMINISTRATOR,
        )
        expect(givenRefusal(trial).message).toMatch(message)
      }
    }
    expect(await callable(id)).toMatchObject({ baseUrl: BASE.base_url, credential: SECRET })
    // The same server, however it is written, and another path there.
    acceptedValue(await patch({ base_url: 'http://127.0.0.1:9000/v2/', name: 'other' }))
    const headers = { 'x-api-key': 'new', 'x-team': 'gold' }
    const moved = {
      base_url: 'https://example.org/v1',
      credential: 'sk-new',
      further_credentials: further,
      headers,
    }
    acceptedValue(await patch(moved))
    expect(await callable(id)).toMatchObject({ baseUrl: moved.base_url, credential: 'sk-new', headers })
    acceptedValue(await patch({ base_url: 'https://example.org:443/v2' }))
    const bare = { credential: null, further_credentials: [], headers: { 'x-team': 'gold' } }
    acceptedValue(await patch({ ...bare, base_url: BASE.base_url }))
    // Headers that everybody sees are no secrets.
    expect(acceptedValue(await patch({ base_url: 'https://example.org/v1' })).headers).toEqual(bare.headers)
  })

  test('shows header values masked where the name smells of a secret, and the mask sent back keeps them', async () => {
    const headers = {
      'X-Api-Key': 'k-123456',
      Authorization: 'Basic abc',
      'x-session-token': 't',
      Cookie: 'c=1',
      'x-client-secret': 's',
      'x-title': 'Goldweight',
    }
    const made = acceptedValue(await node.providers.create({ ...BASE, headers }, ADMINISTRATOR))
    const shown = {
      'x-api-key': MASK,
      authorization: MASK,
      'x-session-token': MASK,
      cookie: MASK,
      'x-client-secret': MASK,
      'x-title': 'Goldweight',
    }
    expect(made.headers).toEqual(shown)
    const patch = { headers: { 'x-api-key': MASK, 'x-title': 'Other', cookie: 'c=2' } }
    const patched = acceptedValue(await node.providers.patch(made.id, patch, ADMINISTRATOR))
    expect(patched.headers).toEqual({ 'x-api-key': MASK, 'x-title': 'Other', cookie: MASK })
    expect((await callable(made.id)).headers).toEqual({
      'x-api-key': 'k-123456',
      'x-title': 'Other',
      cookie: 'c=2',
    })
    for (const name of ['x-new-key', 'constructor']) {
      const unknown = await node.providers.patch(made.id, { headers: { [name]: MASK } }, ADMINISTRATOR)
      expect(givenRefusal(unknown).status).toBe(400)
    }
  })

  test('masks header values that look like a secret themselves, and says on the audit log that one was replaced', async () => {
    const headers = {
      'x-upstream': 'sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2',
      'x-caller': 'Basic dXNlcjpwYXNz',
      'x-assertion': 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N',
      'anthropic-beta': 'prompt-caching-2024-07-31,token-efficient-tools-2025-02-19',
      'x-project': '0b1f9a52-7c1e-4f59-9a59-0d5a8a3a1c11',
    }
    const made = acceptedValue(await node.providers.create({ ...BASE, headers }, ADMINISTRATOR))
    expect(made.headers).toEqual({
      ...headers,
      'x-upstream': MASK,
      'x-caller': MASK,
      'x-assertion': MASK,
    })
    const patched = { ...made.headers, 'x-caller': 'Basic YTpi', 'x-project': 'other' }
    acceptedValue(await node.providers.patch(made.id, { headers: patched }, ADMINISTRATOR))
    const [entry] = (await node.audit.list({ limit: 1, after: null })).items
    expect(entry?.after).toMatchObject({ headers_replaced: ['x-caller'] })
    expect(JSON.stringify(entry)).not.toContain('YTpi')
  })

  test('has a name of its own', async () => {
    const first = await addProvider(node, 'first')
    await addProvider(node, 'second')
    expect(givenRefusal(await node.providers.create({ ...BASE, name: 'first' }, ADMINISTRATOR)).status).toBe(
      409,
    )
    expect(givenRefusal(await node.providers.patch(first.id, { name: 'second' }, ADMINISTRATOR)).status).toBe(
      409,
    )
  })

  test('can not be deleted while a model has a route to it, and is deleted once', async () => {
    const provider = await addProvider(node)
    const routes = [{ provider_id: provider.id, upstream_model: 'm' }]
    acceptedValue(await node.models.create({ id: 'm', routes }, ADMINISTRATOR))
    expect(givenRefusal(await node.providers.delete(provider.id, ADMINISTRATOR)).status).toBe(409)
    acceptedValue(await node.models.delete('m', ADMINISTRATOR))
    const outcomes = await Promise.all([
      node.providers.delete(provider.id, ADMINISTRATOR),
      node.providers.delete(provider.id, ADMINISTRATOR),
    ])
    expect(outcomes.filter(outcome => outcome.ok)).toHaveLength(1)
    expect(outcomes.filter(outcome => !outcome.ok).map(outcome => givenRefusal(outcome).status)).toEqual([
      404,
    ])
  })

  test('that does not exist can be neither patched nor deleted', async () => {
    expect(givenRefusal(await node.providers.patch('prv_x', {}, ADMINISTRATOR)).status).toBe(404)
    expect(givenRefusal(await node.providers.delete('prv_x', ADMINISTRATOR)).status).toBe(404)
    expect(await node.providers.find('prv_x')).toBeNull()
    expect(await node.providers.findCallable('prv_x')).toBeNull()
  })

  test('takes patches of different fields at once, and the log shows each as it was made', async () => {
    const { id } = await addProvider(node)
    const outcomes = await Promise.all([
      node.providers.patch(id, { name: 'renamed' }, ADMINISTRATOR),
      node.providers.patch(id, { enabled: false }, ADMINISTRATOR),
      node.providers.patch(id, { timeouts: { idle_ms: 9 } }, ADMINISTRATOR),
      node.providers.patch(id, { headers: { 'x-title': 'a' } }, ADMINISTRATOR),
    ])
    expect(outcomes.every(outcome => outcome.ok)).toBe(true)
    const latest = await node.providers.find(id)
    expect(latest).toMatchObject({
      name: 'renamed',
      enabled: false,
      timeouts: { idle_ms: 9 },
      headers: { 'x-title': 'a' },
    })
    const { items } = await node.audit.list({ limit: 10, after: null })
    const updates = items.filter(entry => entry.action === 'provider.update').reverse()
    expect(updates).toHaveLength(4)
    for (const [index, entry] of updates.entries()) {
      if (index > 0) expect(entry.before).toEqual(updates[index - 1]?.after)
    }
    expect(updates.at(-1)?.after).toEqual(latest)
  })
})

test('providers are listed newest first, a page at a time', async () => {
  for (const name of ['a', 'b', 'c']) await addProvider(node, name)
  const first = await node.providers.list({ limit: 2, after: null })
  expect(first.items.map(item => item.name)).toEqual(['c', 'b'])
  const second = await node.providers.list({ limit: 2, after: first.next })
  expect(second.items.map(item => item.name)).toEqual(['a'])
  expect(second.next).toBeNull()
})
