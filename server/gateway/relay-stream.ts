import type { ClientResponse } from '#server/http/client-exchange.ts'
import type { Departure } from './edge/departure.ts'
import type { KeepAlive, WatchedStream } from './keep-alive.ts'
import type { AttemptFailure, ProviderStream } from './providers/provider.ts'

/** A client that reads nothing for this long is taken to be gone. */
const MAX_STALL_MS = 120_000

/** How the relaying of a stream ended. Nothing has been said to the client yet about that end. */
export type RelayEnding =
  | { readonly kind: 'complete'; readonly lastBytes: Buffer }
  | { readonly kind: 'broken'; readonly failure: AttemptFailure }
  /** `reachedClient`: at least one piece of content had gone out to it. */
  | { readonly kind: 'client-left'; readonly reachedClient: boolean }

export type Relaying = {
  readonly stream: ProviderStream
  readonly response: ClientResponse
  readonly departure: Departure
  /** Called when the first piece of content goes out. */
  readonly onFirstContent: () => void
  readonly keepAlive: KeepAlive
  /** What is said on a stream that stays silent; null where nothing may be. */
  readonly keepAliveEvent: Buffer | null
}

/**
 * Passes a stream on to the client as it comes, as fast as the client reads: while it does not, the upstream is not
 * read either, so that memory stays bounded. A client that leaves cancels the upstream request at once.
 */
export function relayStream({
  stream,
  response,
  departure,
  onFirstContent,
  keepAlive,
  keepAliveEvent,
}: Relaying): Promise<RelayEnding> {
  return new Promise(resolve => {
    let reachedClient = false
    let stalled: NodeJS.Timeout | null = null
    let watched: WatchedStream | null = null

    const finish = (ending: RelayEnding) => {
      departure.onLeave(null)
      response.off('drain', onDrain)
      if (stalled) clearTimeout(stalled)
      watched?.over()
      resolve(ending)
    }
    const onDrain = () => {
      if (stalled) clearTimeout(stalled)
      stalled = null
      stream.resume()
    }
    const wait = () => {
      if (stalled) return
      stalled = setTimeout(() => {
        departure.giveUp()
        response.destroy()
      }, MAX_STALL_MS)
      stream.pause()
    }

    departure.onLeave(() => {
      stream.cancel()
      finish({ kind: 'client-left', reachedClient: reachedClient && !response.isWaiting })
    })
    if (departure.left) return
    response.on('drain', onDrain)
    if (keepAliveEvent) {
      watched = keepAlive.watch(() => {
        // Whoever does not read what there is has no use for more.
        if (!stalled && !response.writableNeedDrain) response.write(keepAliveEvent)
      })
    }
    stream.start({
      data: bytes => {
        watched?.heard()
        const flowsOn = response.write(bytes)
        if (!reachedClient && stream.reading.hasContent) {
          reachedClient = true
          onFirstContent()
        }
        if (!flowsOn) wait()
      },
      end: finish,
    })
  })
}
