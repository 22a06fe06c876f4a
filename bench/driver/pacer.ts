/**
 * Wakes its parent thread each time a request is due. A thread that sleeps on a futex wakes within a tenth of a
 * millisecond; the event loop's own timers know whole milliseconds only, which is as much as what is measured.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { nowMicros } from './monotonic-clock.ts'
import type { Schedule } from './schedule.ts'

// The one who starts this worker hands it a Schedule.
const { startMicros, intervalMicros, count } = workerData as Schedule
const never = new Int32Array(new SharedArrayBuffer(4))

for (let i = 0; i < count; i++) {
  const waitMicros = startMicros + i * intervalMicros - nowMicros()
  if (waitMicros > 0) Atomics.wait(never, 0, 0, waitMicros / 1000)
  parentPort?.postMessage(null)
}
