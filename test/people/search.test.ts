import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller, type NewCaller } from '#test/support/admin-client.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'

type List = { readonly data: readonly { readonly id: string }[]; readonly next_cursor: string | null }

let gateway: TestGateway
let caller: NewCaller
beforeAll(async () => {
  gateway = await startGateway()
  for (const name of ['Acme Tools', 'Zenith 50%', 'Acme Foods']) {
    const email = `${name.replace(/\W/g, '')}@example.org`
    const owner = { email, name: `Owner of ${name}`, password: 'long enough password' }
    await gateway.admin.call('POST', '/admin/accounts', { name, owner })
  }
  caller = await makeCaller(gateway.admin)
})
afterAll(() => gateway.close())

async function find(list: string, search: string): Promise<List> {
  return await gateway.admin.call<List>('GET', `/admin/${list}?search=${encodeURIComponent(search)}`)
}

test.each([
  ['accounts', 'aCME', 2],
  ['accounts', 'zenith50@EXAMPLE', 1],
  ['accounts', 'Owner of', 3],
  ['accounts', '50%', 1],
  ['accounts', '%', 1],
  ['accounts', '_', 4],
  ['accounts', "'", 0],
  ['users', 'acmefoods', 1],
  ['users', 'nobody', 0],
  ['keys', 'a KEY', 1],
  ['keys', 'gw_', 1],
])('%s are found by a part of what they are called: %s', async (list, search, count) => {
  expect((await find(list, search)).data).toHaveLength(count)
})

test('accounts, users and keys are found by their ids', async () => {
  for (const [list, id] of [
    ['accounts', caller.accountId],
    ['users', caller.userId],
    ['keys', caller.keyId],
  ] as const) {
    expect((await find(list, id)).data.map(found => found.id)).toEqual([id])
  }
})

test('what is found comes page by page as well, and an empty search is refused', async () => {
  const first = await gateway.admin.call<List>('GET', '/admin/accounts?search=acme&limit=1')
  const second = await gateway.admin.call<List>(
    'GET',
    `/admin/accounts?search=acme&limit=1&cursor=${first.next_cursor}`,
  )
  expect(second.next_cursor).toBeNull()
  expect(second.data[0]?.id).not.toBe(first.data[0]?.id)
  await expect(gateway.admin.call('GET', '/admin/accounts?search=')).rejects.toThrow('400')
})
