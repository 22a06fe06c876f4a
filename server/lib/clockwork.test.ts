import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startClockwork } from './clockwork.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Work whose runs end when the test says so. */
function startWork() {
  const begun: PromiseWithResolvers<void>[] = []
  const clockwork = startClockwork(() => {
    const run = Promise.withResolvers<void>()
    begun.push(run)
    return run.promise
  }, 1000)
  return { begun, clockwork }
}

const turn = () => vi.advanceTimersByTimeAsync(0)

test('runs every so often, though a run has failed', async () => {
  const { begun } = startWork()
  await vi.advanceTimersByTimeAsync(999)
  expect(begun).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(begun).toHaveLength(1)
  begun[0]?.reject(new Error('The store is away'))
  await vi.advanceTimersByTimeAsync(1000)
  expect(begun).toHaveLength(2)
})

test('every run that is asked for happens, one after the other, and tells how it ended', async () => {
  const { begun, clockwork } = startWork()
  const first = clockwork.run()
  const second = clockwork.run()
  const third = clockwork.run()
  const failure = expect(first).rejects.toThrow('The first one')
  await turn()
  expect(begun).toHaveLength(1)
  begun[0]?.reject(new Error('The first one'))
  await failure
  await turn()
  expect(begun).toHaveLength(2)
  begun[1]?.resolve()
  await second
  await turn()
  expect(begun).toHaveLength(3)
  begun[2]?.resolve()
  await third
})

test('closed, it ends with a last run after the one under way, and runs no more', async () => {
  const { begun, clockwork } = startWork()
  await vi.advanceTimersByTimeAsync(1000)
  let isClosed = false
  const closing = clockwork.close().then(() => {
    isClosed = true
  })
  begun[0]?.resolve()
  await turn()
  expect(begun).toHaveLength(2)
  expect(isClosed).toBe(false)
  begun[1]?.resolve()
  await closing
  await vi.advanceTimersByTimeAsync(5000)
  expect(begun).toHaveLength(2)
})

test('does not keep the process alive', async () => {
  vi.useRealTimers()
  // A timer that keeps nothing alive is not among them.
  const timers = () => process.getActiveResourcesInfo().filter(resource => resource === 'Timeout').length
  const before = timers()
  const clockwork = startClockwork(async () => {}, 1000)
  expect(timers()).toBe(before)
  await clockwork.close()
})
