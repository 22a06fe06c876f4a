import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#test/support/admin-client.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'
import { type MailServer, startMailServer } from '#test/support/mail-server.ts'

let mail: MailServer
let gateway: TestGateway
beforeAll(async () => {
  mail = await startMailServer()
  gateway = await startGateway({
    mail: { url: mail.url, from: 'gold@example.org', publicUrl: 'http://gold.example' },
  })
})
afterAll(async () => {
  await gateway.close()
  await mail.close()
})

const change = (accountId: string, amount: number) =>
  gateway.admin.call('POST', `/admin/accounts/${accountId}/credits`, { amount, kind: 'adjustment', note: '' })

/** The round that sends letters has seen the balance, and found that it is so. */
async function untilNoticed(accountId: string, status: string): Promise<void> {
  const query = gateway.app.storage.db
    .selectFrom('account_notices')
    .select('status')
    .where('account_id', '=', accountId)
  await expect.poll(() => query.executeTakeFirst(), { timeout: 10_000 }).toEqual({ status })
}

/** All letters to the address, those that were on their way included: a letter is written with the notice. */
async function lettersTo(email: string) {
  const waiting = gateway.app.storage.db.selectFrom('outgoing_mails').select('kind')
  await expect.poll(() => waiting.execute(), { timeout: 10_000 }).toEqual([])
  return mail.mails.filter(each => each.to === email)
}

test('the owner is told once when credits run low and once when they are used up, and again after the next purchase', async () => {
  const { accountId } = await makeCaller(gateway.admin, { credits: 100 })
  const { owner } = await gateway.admin.call<{ owner: { email: string } }>(
    'GET',
    `/admin/accounts/${accountId}`,
  )
  const subjects = () => mail.mails.filter(each => each.to === owner.email).map(each => each.subject)
  const low = 'Your credits are running low'
  const gone = 'Your credits are used up'

  await change(accountId, -89)
  await change(accountId, -2)
  await expect.poll(subjects, { timeout: 10_000 }).toEqual([low])
  await Promise.all(Array.from({ length: 10 }, () => change(accountId, -0.5)))
  await change(accountId, -10)
  await expect.poll(subjects, { timeout: 10_000 }).toEqual([low, gone])
  await change(accountId, -10)

  await gateway.admin.call('POST', `/admin/accounts/${accountId}/credits`, {
    amount: 1000,
    kind: 'grant',
    note: '',
  })
  await untilNoticed(accountId, 'active')
  await change(accountId, -2000)
  await expect.poll(subjects, { timeout: 10_000 }).toEqual([low, gone, gone])
})

test('what is low is a setting: the balance and the notice, in the name of the service, follow it', async () => {
  const { accountId } = await makeCaller(gateway.admin, { credits: 100 })
  const read = () =>
    gateway.admin.call<{ owner: { email: string }; credit_status: string }>(
      'GET',
      `/admin/accounts/${accountId}`,
    )
  await change(accountId, -60)
  expect(await read()).toMatchObject({ credit_status: 'active' })
  await gateway.admin.call('PATCH', '/admin/settings', {
    low_balance_percent: 50,
    branding: { name: 'Acme' },
  })
  const { owner, credit_status } = await read()
  expect(credit_status).toBe('low')
  await change(accountId, -1)
  const letters = () => mail.mails.filter(each => each.to === owner.email)
  await expect.poll(letters, { timeout: 10_000 }).toEqual([
    expect.objectContaining({
      from: 'Acme <gold@example.org>',
      text: expect.stringMatching(/less than 50 % left.*-- \nAcme\n/s),
    }),
  ])
  await gateway.admin.call('PATCH', '/admin/settings', { low_balance_percent: 0 })
  expect(await read()).toMatchObject({ credit_status: 'active' })
  await gateway.admin.call('PATCH', '/admin/settings', {
    low_balance_percent: 10,
    branding: { name: 'Goldweight' },
  })
})

test('the owner of a closed account is told nothing when its balance is paid out', async () => {
  const { accountId } = await makeCaller(gateway.admin, { credits: 100 })
  const { owner, name } = await gateway.admin.call<{ owner: { email: string }; name: string }>(
    'GET',
    `/admin/accounts/${accountId}`,
  )
  await gateway.admin.call('POST', `/admin/accounts/${accountId}/close`, { confirm: name })
  await change(accountId, -100)
  await untilNoticed(accountId, 'exhausted')
  expect(await lettersTo(owner.email)).toEqual([])
})

test('an account that never had credits is told nothing', async () => {
  const { accountId } = await makeCaller(gateway.admin, { credits: 0 })
  const { owner } = await gateway.admin.call<{ owner: { email: string } }>(
    'GET',
    `/admin/accounts/${accountId}`,
  )
  await change(accountId, -1)
  await untilNoticed(accountId, 'exhausted')
  expect(await lettersTo(owner.email)).toEqual([])
})
