import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until the check passes, and fails with its last error when it does not in time. */
export async function eventually(check: () => unknown, withinMs = 15_000): Promise<void> {
  const deadlineMs = performance.now() + withinMs
  for (;;) {
    try {
      await check()
      return
    } catch (error) {
      if (performance.now() > deadlineMs) throw error
      await sleep(10)
    }
  }
}
