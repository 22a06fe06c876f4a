import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTemporaryStorage, type TemporaryStorage } from '#domains/catalog/catalog.fixture.ts'
import type { NodeRegister } from '#domains/nodes/node-register.ts'
import { composeNodeRegister } from './compose-node-register.ts'

let store: TemporaryStorage
let server: Server
let register: NodeRegister
let nowMs: number
beforeEach(async () => {
  store = await openTemporaryStorage()
  server = createServer()
  nowMs = Date.UTC(2026, 10, 21)
  register = composeNodeRegister({
    storage: store.storage,
    clock: { now: () => nowMs, monotonicMs: () => nowMs },
    inFlight: () => 0,
    isDraining: () => !server.listening,
    redisState: () => null,
    server: () => server,
  })
})
afterEach(async () => {
  server.close()
  await register.close()
  await store.close()
})

test('a node that listens no more is still told from others by where it did', async () => {
  expect(await register.list()).toMatchObject([{ address: null }])
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const [listening] = await register.list()
  expect(listening?.address).toMatch(/^127\.0\.0\.1:\d+$/)
  await new Promise(resolve => server.close(resolve))
  expect(await register.list()).toMatchObject([{ state: 'draining', address: listening?.address }])
})

test('how busy a node is, is told of a second at least: not of the moment in which it is asked', async () => {
  await sleep(200)
  nowMs += 1_000
  const [idle] = await register.list()
  expect(idle?.busy).toBeLessThan(0.9)
  nowMs += 100
  for (const until = performance.now() + 100; performance.now() < until; );
  expect(await register.list()).toMatchObject([{ busy: idle?.busy }])
})
