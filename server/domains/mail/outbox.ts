import type { Cipher } from '#lib/cipher.ts'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import { type Log, loggableError } from '#telemetry/log.ts'
import { type Letter, renderLetter } from './letter.ts'
import type { Mail, MailTransport } from './mail-transport.ts'

/** When a new mail is looked for after it was put in: its unit is about to be committed, on a slow disk a while later. */
const LOOKS_MS = [50, 250, 1_000, 3_000] as const
const LOOK_EVERY_MS = 10_000
const BATCH = 4
/** While one node tries a mail no other does. Longer than all timeouts of a try together. */
const CLAIM_MS = 3 * 60 * 1000
const FIRST_PAUSE_MS = 15_000
const LONGEST_PAUSE_MS = 30 * 60 * 1000

export type NewMail = {
  /** What it is about, such as `reset-password`, for the log. */
  readonly kind: string
  readonly to: string
  readonly letter: Letter
  /** How long it is of use. */
  readonly validForMs: number
}

/** Mails that wait in the store until a server has taken them. */
export type Outbox = {
  /** The write that puts a mail in: it belongs into the unit of the change that the mail is about. */
  add(mail: NewMail): Statement
  /** Tries what is due, until nothing is. */
  sendDue(): Promise<void>
  /** Lets the tries under way end, and begins no other. */
  close(): Promise<void>
}

export type OutboxParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly cipher: Cipher
  readonly transport: MailTransport
  /** What the service is called when the mail goes out. */
  readonly readName: () => Promise<string>
  /** The part of message identifiers behind the `@`. */
  readonly host: string
  readonly log: Log
}

type DueMail = {
  readonly id: string
  readonly kind: string
  readonly content_ciphertext: string
  readonly attempts: number
  readonly next_attempt_at: number
  readonly expires_at: number
}

export function createOutbox(parts: OutboxParts): Outbox {
  const { storage, clock, cipher, transport, readName, host, log } = parts
  const { db } = storage
  let last: Promise<void> = Promise.resolve()
  let isClosed = false
  let nextLook: { readonly timer: NodeJS.Timeout; readonly index: number } | null = null

  function listDue(): Promise<DueMail[]> {
    return db
      .selectFrom('outgoing_mails')
      .select(['id', 'kind', 'content_ciphertext', 'attempts', 'next_attempt_at', 'expires_at'])
      .where('next_attempt_at', '<=', clock.now())
      .orderBy('next_attempt_at')
      .limit(BATCH)
      .execute()
  }

  /** Of all nodes that saw the mail due only one may try it. */
  async function claim({ id, attempts, next_attempt_at }: DueMail): Promise<boolean> {
    const query = db
      .updateTable('outgoing_mails')
      .set({ attempts: attempts + 1, next_attempt_at: clock.now() + CLAIM_MS })
      .where('id', '=', id)
      .where('next_attempt_at', '=', next_attempt_at)
    const outcome = await storage.commit([{ query, expectRows: 1 }])
    return outcome.kind === 'committed'
  }

  async function remove(id: string): Promise<void> {
    await storage.commit([{ query: db.deleteFrom('outgoing_mails').where('id', '=', id) }])
  }

  async function giveUp(mail: DueMail, reason: string): Promise<void> {
    log.error(
      { mail_id: mail.id, kind: mail.kind, attempts: mail.attempts + 1, reason },
      'a mail was given up',
    )
    await remove(mail.id)
  }

  async function trySending(mail: DueMail): Promise<void> {
    if (!(await claim(mail))) return
    if (clock.now() >= mail.expires_at) return giveUp(mail, 'too late')
    const content = cipher.open(mail.content_ciphertext, bindingOf(mail.id))
    if (content === null) return giveUp(mail, 'sealed with another secret')
    const { to, letter } = JSON.parse(content) as Pick<NewMail, 'to' | 'letter'> // sealed by `add`
    const service = await readName()
    const sent = await transport.send({
      to,
      sender: service,
      ...renderLetter(letter, service),
      messageId: `<${mail.id}@${host}>`,
    } satisfies Mail)
    if (sent.kind === 'sent') return remove(mail.id)
    if (sent.isFinal) return giveUp(mail, sent.reason)
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** mail.attempts)
    log.warn(
      { mail_id: mail.id, kind: mail.kind, attempts: mail.attempts + 1, reason: sent.reason },
      'a mail could not be sent and will be tried again',
    )
    const query = db
      .updateTable('outgoing_mails')
      .set({ next_attempt_at: clock.now() + pauseMs })
      .where('id', '=', mail.id)
    await storage.commit([{ query }])
  }

  async function sendAllDue(): Promise<void> {
    while (!isClosed) {
      const due = await listDue()
      if (due.length === 0) return
      await Promise.all(due.map(trySending))
    }
  }

  /** One look at a time: a second one would only lose every claim to the first. */
  function sendDue(): Promise<void> {
    last = last.then(sendAllDue).catch(error => {
      log.warn({ error: loggableError(error) }, 'the mails that wait could not be read')
    })
    return last
  }

  function lookLater(index: number): void {
    if (nextLook) clearTimeout(nextLook.timer)
    const delayMs = LOOKS_MS[index]
    nextLook = null
    if (delayMs === undefined || isClosed) return
    const look = () => {
      void sendDue()
      lookLater(index + 1)
    }
    nextLook = { timer: setTimeout(look, delayMs).unref(), index }
  }

  const looking = setInterval(() => void sendDue(), LOOK_EVERY_MS).unref()

  return {
    add: ({ kind, to, letter, validForMs }) => {
      const now = clock.now()
      const id = newId('mai', now)
      if (nextLook?.index !== 0) lookLater(0)
      const query = db.insertInto('outgoing_mails').values({
        id,
        kind,
        content_ciphertext: cipher.seal(JSON.stringify({ to, letter }), bindingOf(id)),
        attempts: 0,
        next_attempt_at: now,
        expires_at: now + validForMs,
        created_at: now,
      })
      return { query, expectRows: 1 }
    },
    sendDue,
    close: async () => {
      isClosed = true
      clearInterval(looking)
      if (nextLook) clearTimeout(nextLook.timer)
      await last
      transport.close()
    },
  }
}

function bindingOf(id: string) {
  return { purpose: 'outgoing-mail', id }
}
