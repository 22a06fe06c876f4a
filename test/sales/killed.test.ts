/** The process may be killed at any moment between a payment and its credits: they come once, and the books add up. */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectBooksToAddUp } from '#test/support/books.ts'
import { COMPILE_CACHE } from '#test/support/compile-cache.ts'
import { eventually } from '#test/support/eventually.ts'
import { type SpawnedService, startSpawnedService } from '#test/support/spawned-service.ts'
import { type Session, type StripeServer, startStripeServer } from '#test/support/stripe-server.ts'
import { type Buyer, openAccount } from './open-account.ts'

const VERIFY = fileURLToPath(new URL('../../server/cli/verify-ledger.ts', import.meta.url))
const SOLD = 500_000_000n
const KILLS = 4
/** From the moment at which it learns of a payment, a process has credited it within about this time. */
const CREDITED_WITHIN_MS = 60

let stripe: StripeServer
let service: SpawnedService
let buyer: Buyer
let packageId: string

beforeAll(async () => {
  stripe = await startStripeServer()
  service = await startSpawnedService({
    env: {
      STRIPE_SECRET_KEY: stripe.access.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.access.webhookSecret,
      STRIPE_API_URL: stripe.access.apiUrl,
    },
  })
  const price = { amount: 1000, currency: 'EUR' }
  const made = await service.admin.call<{ id: string }>('POST', '/admin/packages', {
    name: 'Five hundred',
    credits: 500,
    price,
  })
  packageId = made.id
  buyer = await openAccount(() => service.gateway().url)
})
afterAll(async () => {
  await service.close()
  await stripe.close()
})

async function pay(): Promise<Session> {
  const { body } = await buyer.call('POST', '/client/orders', { package_id: packageId })
  return stripe.pay(body.id)
}

/** Delivers the same message several times at once; those that the kill cuts off are lost. */
async function deliver(session: Session, times: number): Promise<void> {
  const { body, signature } = stripe.signed('checkout.session.completed', session)
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  const url = `${service.gateway().url}/webhooks/stripe`
  await Promise.allSettled(
    Array.from({ length: times }, async () =>
      (await fetch(url, { method: 'POST', headers, body })).arrayBuffer(),
    ),
  )
}

async function expectVerified(): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, [VERIFY], {
    env: { PATH: process.env.PATH ?? '', ...service.env, ...COMPILE_CACHE },
  })
  expect(stdout).toContain('The ledger adds up')
}

/** What is stored of the account while no process serves. */
async function purchases(): Promise<number> {
  const books = await service.books(buyer.accountId)
  expectBooksToAddUp(books)
  return books.entries.filter(({ kind }) => kind === 'purchase').length
}

const state = async ({ client_reference_id: id }: Session) =>
  (await buyer.call('GET', `/client/orders/${id}`)).body.state

test('killed after the message came and before it was believed: found paid at the next start, and credited once', async () => {
  const session = await pay()
  const { asked, release } = stripe.holdAnswers()
  const delivering = deliver(session, 5)
  await asked
  await service.gateway().end('SIGKILL')
  await delivering
  release()
  expect(await purchases()).toBe(0)
  await expectVerified()

  // No message comes again: the service asks after its open orders by itself.
  await service.startAgain()
  await eventually(async () => expect(await state(session)).toBe('paid'), 10_000)
  await deliver(session, 5)
  await service.gateway().end('SIGKILL')
  expect(await purchases()).toBe(1)
  await expectVerified()
}, 60_000)

test('killed while the credits were being written, and the message sent again: every order is credited once', async () => {
  const before = await purchases()
  const sessions: Session[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    await service.startAgain()
    // What the last kill cut off is sent again, while the start itself looks for it too.
    const again = sessions.map(session => deliver(session, 3))
    const paid = [await pay(), await pay()]
    sessions.push(...paid)
    const { asked, release } = stripe.holdAnswers()
    const delivering = paid.map(session => deliver(session, 5))
    await asked
    release()
    await sleep(Math.random() * CREDITED_WITHIN_MS)
    await service.gateway().end('SIGKILL')
    await Promise.all([...delivering, ...again])
    expect(await purchases()).toBeLessThanOrEqual(before + sessions.length)
  }
  await service.startAgain()
  await Promise.all(sessions.map(session => deliver(session, 3)))
  for (const session of sessions) expect(await state(session)).toBe('paid')
  const { body } = await buyer.call('GET', '/client/me')
  const all = before + sessions.length
  expect(body.account).toMatchObject({ used: 0, remaining: Number(BigInt(all) * SOLD) / 1_000_000 })
  await service.gateway().end('SIGKILL')
  expect(await purchases()).toBe(all)
  await expectVerified()
}, 120_000)
