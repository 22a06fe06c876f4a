import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHAT, CHAT_PATH, type Stage, startStage } from '#test/support/stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())

test('a connection that serves many requests keeps nothing of those that are over', async () => {
  const listeners: number[] = []
  const sockets = new Set<unknown>()
  stage.gateway.app.server.on('request', ({ socket }) => {
    listeners.push(socket.listenerCount('end'))
    sockets.add(socket)
  })
  for (let count = 0; count < 15; count++) await stage.call(CHAT_PATH, CHAT)
  // Without this the listeners below would be those of new connections.
  expect(sockets.size).toBeLessThan(15)
  expect(Math.max(...listeners)).toBeLessThanOrEqual((listeners[0] ?? 0) + 1)
})
