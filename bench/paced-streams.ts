import type { Socket } from 'node:net'
import { nowMicros } from './driver/monotonic-clock.ts'
import type { FixedWire } from './fixed/wire.ts'

type Stream = { readonly socket: Socket; readonly wire: FixedWire; chunksLeft: number }

/** Streams that each get a piece of content every so many milliseconds, the first at once, and then their end. */
export type PacedStreams = { add(socket: Socket, wire: FixedWire, chunks: number): void }

/**
 * One timer serves all streams: it looks at the slot of each millisecond that has passed, and a stream stays in the
 * slot it was opened in. A thousand timers would drift together and send in bursts.
 */
export function createPacedStreams(intervalMs: number): PacedStreams {
  const slots = Array.from({ length: intervalMs }, () => new Set<Stream>())
  let reachedMs = 0
  let open = 0
  let timer: NodeJS.Timeout | null = null

  function slotOf(ms: number): Set<Stream> {
    // There is a slot for every remainder, since the array has as many as the divisor.
    return slots[ms % intervalMs] as Set<Stream>
  }

  function send(stream: Stream): void {
    stream.socket.write(stream.wire.contentChunk(nowMicros()), 'latin1')
    stream.chunksLeft -= 1
  }

  function close(stream: Stream, slot: Set<Stream>): void {
    slot.delete(stream)
    open -= 1
    if (open > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }

  function visit(slot: Set<Stream>): void {
    for (const stream of slot) {
      if (stream.socket.destroyed) {
        close(stream, slot)
      } else if (stream.chunksLeft > 0) {
        send(stream)
      } else {
        stream.socket.write(stream.wire.streamTail, 'latin1')
        close(stream, slot)
      }
    }
  }

  function advance(): void {
    const nowMs = Math.floor(performance.now())
    while (reachedMs < nowMs) {
      reachedMs += 1
      visit(slotOf(reachedMs))
    }
  }

  return {
    add: (socket, wire, chunks) => {
      const nowMs = Math.floor(performance.now())
      if (timer === null) {
        reachedMs = nowMs
        timer = setInterval(advance, 1)
      }
      const stream = { socket, wire, chunksLeft: chunks }
      open += 1
      // The slot that was visited last comes round again a whole interval from now.
      slotOf(reachedMs).add(stream)
      send(stream)
    },
  }
}
