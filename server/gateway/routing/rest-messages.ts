import type { Bus } from '#redis/bus.ts'
import { REST_KINDS, type RestKind } from './rest-kinds.ts'

const TOPIC = 'rest'

export type RestLength = { readonly ms: number; readonly isItsWord: boolean }

/** What nodes tell each other of routes. Times are lengths: nodes have no clock in common. */
export type RestNews = {
  rests(kind: RestKind, key: string, length: RestLength): void
  /** Somebody is finding out whether it answers again, for so long at most; 0: nobody is any more. */
  isProbed(kind: RestKind, key: string, ms: number): void
  answers(kind: RestKind, key: string): void
}

/** Sends news to the other nodes, and hands theirs on. A message that is lost costs an attempt, and no more. */
export function createRestMessages(
  bus: Pick<Bus, 'publish' | 'subscribe'> | null,
  heard: RestNews,
): RestNews {
  bus?.subscribe(TOPIC, message => hear(message, heard))
  const send = (message: object) => bus?.publish(TOPIC, message)
  return {
    rests: (kind, key, length) => send({ news: 'rests', kind, key, ...length }),
    isProbed: (kind, key, ms) => send({ news: 'probed', kind, key, ms }),
    answers: (kind, key) => send({ news: 'answers', kind, key }),
  }
}

/** What can't be understood is passed over: this node finds out for itself. */
function hear(message: unknown, heard: RestNews): void {
  if (typeof message !== 'object' || message === null) return
  const { news, kind: said, key, ms, isItsWord } = message as Readonly<Record<string, unknown>> // checked below
  const kind = REST_KINDS.find(known => known === said)
  if (kind === undefined || typeof key !== 'string') return
  if (news === 'answers') heard.answers(kind, key)
  if (typeof ms !== 'number') return
  if (news === 'rests') heard.rests(kind, key, { ms, isItsWord: isItsWord === true })
  if (news === 'probed') heard.isProbed(kind, key, ms)
}
