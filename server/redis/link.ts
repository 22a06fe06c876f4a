import type { Clock } from '#lib/clock.ts'
import { type Log, loggableError } from '#telemetry/log.ts'
import { describeRedis, type RedisAddress } from './address.ts'
import { createRedisClient, openRedisClient, type RedisClient } from './client.ts'

/** Redis can't be asked now: nobody knows whether what was asked has happened. */
export class RedisAway extends Error {
  override readonly name = 'RedisAway'
}

/** After this, whoever waits for an answer is told that Redis is away. */
const PATIENCE_MS = 650
const WATCH_EVERY_MS = 100
/** After so long without an answer Redis is asked for one, so that its end is noticed when nobody asks anything. */
const SILENCE_MS = 200
/** How long one attempt to connect may take. */
const ATTEMPT_MS = 1_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 2_000
/** A connection that held for less is none to rely on: the next attempt waits longer. */
const STEADY_MS = 2_000

/** A node's connection to Redis, for as long as the node runs. */
export type RedisLink = {
  /** Whether Redis answers as far as is known. */
  isUp(): boolean
  /** Sends what `send` sends; rejects with `RedisAway` at once when Redis is away, and within a second else. */
  ask<Reply>(send: (client: RedisClient) => Promise<Reply>): Promise<Reply>
  /** Calls the listener whenever Redis answers (again), before anything else can be asked. */
  onUp(listener: (client: RedisClient) => void): void
  close(): void
}

export type RedisLinkParts = {
  readonly address: RedisAddress
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Log
}

type Question = { readonly askedAtMs: number; readonly giveUp: (reason: RedisAway) => void }

/** Opens the link; resolves after the first attempt to connect, whether it succeeded or not. Never rejects. */
export async function openRedisLink({ address, clock, log }: RedisLinkParts): Promise<RedisLink> {
  const name = describeRedis(address)
  const listeners: ((client: RedisClient) => void)[] = []
  /** In the order in which they were asked. */
  const questions = new Set<Question>()
  let current: RedisClient | null = null
  let upSinceMs = 0
  let lastAnswerMs = 0
  let pauseMs = FIRST_PAUSE_MS
  let isAwayTold = false
  let retry: NodeJS.Timeout | undefined
  let isClosed = false

  function ask<Reply>(send: (client: RedisClient) => Promise<Reply>): Promise<Reply> {
    const client = current
    if (client === null) return Promise.reject(new RedisAway('Redis is away'))
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const question = { askedAtMs: clock.monotonicMs(), giveUp: reject }
    questions.add(question)
    send(client).then(
      reply => {
        questions.delete(question)
        lastAnswerMs = clock.monotonicMs()
        resolve(reply)
      },
      error => {
        questions.delete(question)
        goAway(client, error)
        reject(new RedisAway('Redis gave no answer', { cause: error }))
      },
    )
    return promise
  }

  function comeUp(client: RedisClient): void {
    current = client
    upSinceMs = clock.monotonicMs()
    lastAnswerMs = upSinceMs
    if (isAwayTold) log.info({ redis: name }, 'Redis answers: limits are shared with the other nodes again')
    isAwayTold = false
    for (const listener of listeners) listener(client)
  }

  function goAway(client: RedisClient, reason: unknown): void {
    if (client !== current) return
    current = null
    client.disconnect()
    const wasSteady = clock.monotonicMs() - upSinceMs >= STEADY_MS
    pauseMs = wasSteady ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    tellAway(reason)
    const away = new RedisAway('Redis stopped answering', { cause: reason })
    for (const question of questions) question.giveUp(away)
    questions.clear()
    connectLater()
  }

  function tellAway(reason: unknown): void {
    if (isAwayTold || isClosed) return
    isAwayTold = true
    log.warn(
      { redis: name, error: loggableError(reason) },
      'Redis is away: until it answers, this node goes on with limits of its own',
    )
  }

  async function connect(): Promise<void> {
    const client = createRedisClient(address)
    let failure: unknown = null
    client.on('error', error => {
      failure = error
    })
    client.on('end', () => goAway(client, failure ?? new Error('The connection was closed')))
    try {
      await inTime(openRedisClient(client))
      if (isClosed) client.disconnect()
      else comeUp(client)
    } catch (error) {
      client.disconnect()
      tellAway(failure ?? error)
      connectLater()
    }
  }

  function connectLater(): void {
    if (isClosed) return
    retry = setTimeout(() => void connect(), pauseMs)
    retry.unref()
  }

  const watch = watchSilence({
    clock,
    look: nowMs => {
      if (current === null) return
      const [oldest] = questions
      if (!oldest) {
        if (nowMs - lastAnswerMs >= SILENCE_MS) ask(client => client.ping()).catch(() => {})
      } else if (nowMs - oldest.askedAtMs >= PATIENCE_MS) {
        goAway(current, new Error(`No answer for ${PATIENCE_MS} ms`))
      }
    },
  })

  await connect()
  return {
    isUp: () => current !== null,
    ask,
    onUp: listener => {
      listeners.push(listener)
      if (current !== null) listener(current)
    },
    close: () => {
      isClosed = true
      watch.stop()
      clearTimeout(retry)
      if (current !== null) goAway(current, new Error('The link was closed'))
    },
  }
}

async function inTime(attempt: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`No connection within ${ATTEMPT_MS} ms`)), ATTEMPT_MS)
  // Whichever comes second is of no interest any more.
  attempt.catch(() => {})
  try {
    await Promise.race([attempt, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

type SilenceWatch = {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly look: (nowMs: number) => void
}

/** Looks ten times a second, but never when it was this process that did not get to listen. */
function watchSilence({ clock, look }: SilenceWatch): { stop(): void } {
  let lastMs = clock.monotonicMs()
  const timer = setInterval(() => {
    const nowMs = clock.monotonicMs()
    const wasHeldUp = nowMs - lastMs > 2 * WATCH_EVERY_MS
    lastMs = nowMs
    // Timers come before sockets in a turn of the event loop: answers that have arrived meanwhile are read first.
    if (!wasHeldUp) setImmediate(look, nowMs)
  }, WATCH_EVERY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
