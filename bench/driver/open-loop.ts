import { type Connection, openConnections } from './connection.ts'
import type { OpenLoopJob, OpenLoopResult } from './jobs.ts'
import { startMeter } from './meter.ts'
import { nowMicros } from './monotonic-clock.ts'
import { PlainReply } from './plain-reply.ts'
import { probeReplyLength } from './probe.ts'
import { wholeRequest } from './requests.ts'
import { Samples } from './samples.ts'
import { follow } from './schedule.ts'

/** Room for the pacer to start before the first request is due. */
const LEAD_MICROS = 200_000

/**
 * Latency at a steady rate, counted from when each request was due: a target that stalls is charged with every
 * request that had to wait for it, not with the one that was under way alone.
 */
export async function runOpenLoop(job: OpenLoopJob): Promise<OpenLoopResult> {
  const { target, requestsPerSecond, warmUpSeconds } = job
  const bodyBytes = await probeReplyLength(target)
  const failure = Promise.withResolvers<never>()
  const allReplied = Promise.withResolvers<void>()
  const request = wholeRequest(target)
  const warmUpCount = Math.round(requestsPerSecond * warmUpSeconds)
  const count = warmUpCount + Math.max(1, Math.round(requestsPerSecond * job.seconds))
  const startMicros = nowMicros() + LEAD_MICROS
  const schedule = { startMicros, intervalMicros: 1_000_000 / requestsPerSecond, count }
  const measuredFrom = startMicros + warmUpCount * schedule.intervalMicros
  const latencies = new Samples()
  const lateness = new Samples()
  const idle: Connection[] = []
  const waiting: number[] = []
  let replies = 0

  function send(connection: Connection, dueMicros: number): void {
    const isMeasured = dueMicros >= measuredFrom
    if (isMeasured) lateness.add(nowMicros() - dueMicros)
    connection.send(
      request,
      new PlainReply(bodyBytes, () => {
        if (isMeasured) latencies.add(nowMicros() - dueMicros)
        replies += 1
        const next = waiting.shift()
        if (next === undefined) idle.push(connection)
        else send(connection, next)
        if (replies === count) allReplied.resolve()
      }),
    )
  }

  async function measure(): Promise<OpenLoopResult> {
    const connections = await openConnections(target, job.connections, failure.reject)
    idle.push(...connections)
    const stopMeter = startMeter(target, job.upstreamPid)
    await follow(schedule, dueMicros => {
      // The one that has been idle longest, so that all connections are used.
      const connection = idle.shift()
      if (connection === undefined) waiting.push(dueMicros)
      else send(connection, dueMicros)
    })
    await allReplied.promise
    const used = stopMeter()
    for (const connection of connections) connection.close()
    return {
      succeeded: replies + 1,
      othersCpuPercent: used.othersCpuPercent,
      latencyMedianMs: latencies.quantile(0.5) / 1000,
      latencyP99Ms: latencies.quantile(0.99) / 1000,
      sendLatenessMedianMs: lateness.quantile(0.5) / 1000,
      cpuPercent: used.targetCpuPercent,
    }
  }

  return Promise.race([measure(), failure.promise])
}
