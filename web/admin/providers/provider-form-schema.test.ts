import { expect, test } from 'vitest'
import type { Provider } from '#web/api/admin/providers.ts'
import { changedFields } from '#web/api/changed-fields.ts'
import { toFurtherDrafts } from './further-credentials.ts'
import { isMoving, providerForm, toFormDefaults, toProviderBody } from './provider-form-schema.ts'

const PROVIDER: Provider = {
  id: 'prv_1',
  object: 'provider',
  name: 'Main',
  kind: 'openai',
  base_url: 'http://127.0.0.1:9000/v1',
  has_credential: true,
  further_credentials: [],
  headers: { 'x-team': 'gold', 'x-api-key': '•••' },
  timeouts: { connect_ms: 10_000, first_byte_ms: 300_000, idle_ms: 1_500 },
  endpoints: ['chat'],
  enabled: true,
  created_at: '2026-11-21T00:00:00Z',
}
const FIELDS = {
  name: PROVIDER.name,
  kind: PROVIDER.kind,
  base_url: PROVIDER.base_url,
  credential: '',
  further_credentials: [],
  endpoints: PROVIDER.endpoints,
  ...toFormDefaults(PROVIDER),
}
const bodyOf = (changed: object, provider: Provider | null = PROVIDER) =>
  toProviderBody(providerForm.parse({ ...FIELDS, ...changed }), provider)

test('what nobody changed is sent as it was, secrets not at all', () => {
  const { name, headers, timeouts, endpoints } = PROVIDER
  expect(JSON.parse(JSON.stringify(bodyOf({})))).toEqual({
    name,
    headers,
    timeouts,
    endpoints,
    further_credentials: [],
  })
})

test('of a provider that is changed nothing goes along that was not: others may have changed it since', () => {
  const shown = { ...PROVIDER, further_credentials: [{ name: 'second' }] }
  const drafts = toFurtherDrafts(shown)
  const sent = (changed: object) =>
    changedFields(bodyOf({ further_credentials: drafts, ...changed }, shown), shown)
  expect(sent({})).toEqual({})
  expect(sent({ name: 'Renamed', credential: 'sk-new' })).toEqual({ name: 'Renamed', credential: 'sk-new' })
  expect(sent({ idle: '2' })).toEqual({ timeouts: { ...PROVIDER.timeouts, idle_ms: 2_000 } })
  expect(sent({ further_credentials: [] })).toEqual({ further_credentials: [] })
  expect(sent({ base_url: '', remove_credential: true })).toEqual({
    base_url: 'https://api.openai.com/v1',
    credential: null,
  })
})

test('an address that is emptied is that of the maker, and one that is built in stays as it is', () => {
  expect(bodyOf({ base_url: ' ' })).toMatchObject({ base_url: 'https://api.openai.com/v1' })
  const demo = { ...PROVIDER, kind: 'demo', base_url: 'demo:', endpoints: null }
  const kept = bodyOf({ kind: 'demo', base_url: 'demo:', endpoints: null }, demo)
  expect(kept).not.toHaveProperty('base_url')
})

test('a credential goes only when it is said, and not when a new one is given', () => {
  expect(bodyOf({ remove_credential: true })).toMatchObject({ credential: null })
  expect(bodyOf({ remove_credential: true, credential: ' sk-new ' })).toMatchObject({ credential: 'sk-new' })
  expect(bodyOf({}).credential).toBeUndefined()
})

test('kinds whose servers all serve the same are sent no choice', () => {
  expect(bodyOf({ kind: 'anthropic' }, { ...PROVIDER, kind: 'anthropic' })).toMatchObject({ endpoints: null })
})

test('what can not be so is told at its field', () => {
  const wrong = { headers: 'a: 1\na: 2', connect: '601', idle: '', endpoints: [] }
  const { error } = providerForm.safeParse({ ...FIELDS, ...wrong })
  const fields = error?.issues.map(({ path }) => String(path[0])) ?? []
  expect([...new Set(fields)].sort()).toEqual(['connect', 'endpoints', 'headers', 'idle'])
})

test('whoever writes the address of another server has to give what is stored again, and is told so before', () => {
  for (const same of [PROVIDER.base_url, 'http://127.0.0.1:9000/v2/', ' http://127.0.0.1:9000 '])
    expect(isMoving(PROVIDER, same)).toBe(false)
  for (const other of ['https://127.0.0.1:9000/v1', 'http://127.0.0.1/v1', 'http://example.org/v1', ''])
    expect(isMoving(PROVIDER, other)).toBe(true)
  expect(isMoving(null, 'http://example.org/v1')).toBe(false)
})
