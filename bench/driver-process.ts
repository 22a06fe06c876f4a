import type { Child, Children } from './children.ts'
import type {
  ClosedLoopJob,
  ClosedLoopResult,
  DriverMessage,
  Job,
  OpenLoopJob,
  OpenLoopResult,
  StreamsResult,
} from './driver/jobs.ts'
import { fileOf } from './targets.ts'

export type ResultOf<AnyJob extends Job> = AnyJob extends ClosedLoopJob
  ? ClosedLoopResult
  : AnyJob extends OpenLoopJob
    ? OpenLoopResult
    : StreamsResult

/** The process that makes the load, one job at a time. */
export type Driver = {
  /** Throws when a reply or stream was not whole, and when the job takes longer than it may. */
  run<AnyJob extends Job>(
    job: AnyJob,
    measured: readonly Child[],
    timeoutSeconds: number,
  ): Promise<ResultOf<AnyJob>>
}

export function startDriver(children: Children): Driver {
  const child = children.start({
    name: 'driver',
    role: 'load',
    nodeArguments: [fileOf('driver/main.ts')],
    speaks: true,
  })
  return {
    run: async <AnyJob extends Job>(job: AnyJob, measured: readonly Child[], timeoutSeconds: number) => {
      child.send(job)
      const received = await Promise.race([
        child.nextMessage(timeoutSeconds * 1000),
        ...measured.map(({ ended }) => ended),
      ])
      // Both ends of the channel are ours, and the driver sends nothing else.
      const message = received as DriverMessage
      if (message.kind === 'failed')
        throw new Error(`void: ${job.kind} at ${measured[0]?.name}: ${message.message}`)
      // The driver answers each kind of job with the result of its kind.
      return message.result as ResultOf<AnyJob>
    },
  }
}
