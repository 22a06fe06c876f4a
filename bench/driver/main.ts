/** The driver's process: one job after the other from run.ts, each answered by its result or by what went wrong. */
import { runClosedLoop } from './closed-loop.ts'
import type { DriverMessage, Job, JobResult } from './jobs.ts'
import { runOpenLoop } from './open-loop.ts'
import { runStreams } from './streams.ts'

function run(job: Job): Promise<JobResult> {
  switch (job.kind) {
    case 'closed-loop':
      return runClosedLoop(job)
    case 'open-loop':
      return runOpenLoop(job)
    case 'streams':
      return runStreams(job)
  }
}

function answer(message: DriverMessage): void {
  process.send?.(message)
}

process.on('disconnect', () => process.exit(0))
// Only run.ts holds the other end of this channel, and it sends nothing but jobs.
process.on('message', (job: Job) => {
  run(job).then(
    result => answer({ kind: 'done', result }),
    (error: unknown) =>
      answer({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  )
})
