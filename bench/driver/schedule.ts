import { Worker } from 'node:worker_threads'

/** `count` events, the i-th due at `startMicros + i * intervalMicros`. */
export type Schedule = {
  readonly startMicros: number
  readonly intervalMicros: number
  readonly count: number
}

/** Calls `onDue` for each event of the schedule, in order, with the moment it was due; late rather than not at all. */
export function follow(schedule: Schedule, onDue: (dueMicros: number) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const pacer = new Worker(new URL('./pacer.ts', import.meta.url), { workerData: schedule })
  let next = 0
  pacer.on('message', () => {
    onDue(schedule.startMicros + next * schedule.intervalMicros)
    next += 1
  })
  pacer.on('error', reject)
  pacer.on('exit', () => resolve())
  return promise
}
