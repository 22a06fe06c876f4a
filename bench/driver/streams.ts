import { openConnection } from './connection.ts'
import { DIALECTS } from './dialects.ts'
import { portFor, type StreamsJob, type StreamsResult } from './jobs.ts'
import { type Metered, startMeter, watchPeakRss } from './meter.ts'
import { nowMicros } from './monotonic-clock.ts'
import { streamRequest } from './requests.ts'
import { Samples } from './samples.ts'
import { follow } from './schedule.ts'
import { StreamReply } from './stream-reply.ts'

const LEAD_MICROS = 200_000

/** Many streams at once, each over a connection of its own and read to its end. */
export async function runStreams(job: StreamsJob): Promise<StreamsResult> {
  const { target, streams, chunks } = job
  const failure = Promise.withResolvers<never>()
  const allWhole = Promise.withResolvers<void>()
  const request = streamRequest(target, chunks)
  const firstChunks = new Samples()
  const delays = new Samples()
  let opened = 0
  let whole = 0
  let stopMeter: (() => Metered) | null = null

  function open(): void {
    stopMeter ??= startMeter(target, job.upstreamPid)
    const openedMicros = nowMicros()
    const number = opened++
    const connection = openConnection({
      port: portFor(target, number),
      onFailure: failure.reject,
      onOpen: ready => ready.send(request, reply),
    })
    const reply = new StreamReply(
      { dialect: DIALECTS[target.dialect], chunks },
      {
        onChunk: (sentMicros, isFirst) => {
          const now = nowMicros()
          delays.add(now - sentMicros)
          if (isFirst) firstChunks.add(now - openedMicros)
        },
        onWhole: () => {
          connection.close()
          whole += 1
          if (whole === streams) allWhole.resolve()
        },
      },
    )
  }

  async function measure(): Promise<StreamsResult> {
    const stopPeak = watchPeakRss(target.pids)
    const schedule = {
      startMicros: nowMicros() + LEAD_MICROS,
      intervalMicros: 1_000_000 / job.opensPerSecond,
      count: streams,
    }
    await follow(schedule, open)
    await allWhole.promise
    if (stopMeter === null) throw new Error('no stream was opened')
    const used = stopMeter()
    return {
      succeeded: whole,
      othersCpuPercent: used.othersCpuPercent,
      firstChunkMedianMs: firstChunks.quantile(0.5) / 1000,
      firstChunkP99Ms: firstChunks.quantile(0.99) / 1000,
      chunkDelayMedianMs: delays.quantile(0.5) / 1000,
      chunkDelayP99Ms: delays.quantile(0.99) / 1000,
      cpuPercent: used.targetCpuPercent,
      cpuMicrosPerChunk: used.targetCpuMicros === null ? null : used.targetCpuMicros / (streams * chunks),
      loadCpuPercent: used.loadCpuPercent,
      peakRssMegabytes: stopPeak(),
      seconds: used.seconds,
    }
  }

  return Promise.race([measure(), failure.promise])
}
