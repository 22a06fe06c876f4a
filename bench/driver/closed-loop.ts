import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, openConnections } from './connection.ts'
import type { ClosedLoopJob, ClosedLoopResult } from './jobs.ts'
import { startMeter } from './meter.ts'
import { PlainReply } from './plain-reply.ts'
import { probeReplyLength } from './probe.ts'
import { wholeRequest } from './requests.ts'

/** As many requests as the target answers over so many connections. */
export async function runClosedLoop(job: ClosedLoopJob): Promise<ClosedLoopResult> {
  const { target, upstreamPid } = job
  const bodyBytes = await probeReplyLength(target)
  const failure = Promise.withResolvers<never>()
  const drained = Promise.withResolvers<void>()
  const request = wholeRequest(target)
  let replies = 0
  let stopping = false
  let busy = job.connections

  function keepBusy(connection: Connection): void {
    const reply = new PlainReply(bodyBytes, () => {
      replies += 1
      if (!stopping) {
        connection.send(request, reply)
        return
      }
      connection.close()
      busy -= 1
      if (busy === 0) drained.resolve()
    })
    connection.send(request, reply)
  }

  async function measure(): Promise<ClosedLoopResult> {
    const connections = await openConnections(target, job.connections, failure.reject)
    for (const connection of connections) keepBusy(connection)
    await sleep(job.warmUpSeconds * 1000)
    const repliesBefore = replies
    const stopMeter = startMeter(target, upstreamPid)
    await sleep(job.seconds * 1000)
    const used = stopMeter()
    const measured = replies - repliesBefore
    stopping = true
    await drained.promise
    return {
      // The probe's reply is one more.
      succeeded: replies + 1,
      othersCpuPercent: used.othersCpuPercent,
      requestsPerSecond: measured / used.seconds,
      cpuMicrosPerRequest: used.targetCpuMicros === null ? null : used.targetCpuMicros / measured,
      storesCpuMicrosPerRequest: used.storesCpuMicros === null ? null : used.storesCpuMicros / measured,
      loadCpuPercent: used.loadCpuPercent,
      heldBackPercent: used.heldBackPercent,
    }
  }

  return Promise.race([measure(), failure.promise])
}
