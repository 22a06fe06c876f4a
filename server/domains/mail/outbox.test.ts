import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCipher } from '#lib/cipher.ts'
import { openSqliteStorage } from '#storage/sqlite/sqlite-storage.ts'
import type { Storage } from '#storage/storage.ts'
import { createLog, silentLog } from '#telemetry/log.ts'
import { type MailServer, startMailServer } from '#test/support/mail-server.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'
import { createTestClock } from '#test/support/test-clock.ts'
import { createSmtpTransport, type MailTransport } from './mail-transport.ts'
import { createOutbox, type NewMail, type Outbox } from './outbox.ts'

const MINUTE_MS = 60_000
const FROM = 'Gold & Co <gold@example.org>'

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>
let storage: Storage
let server: MailServer
let clock: ReturnType<typeof createTestClock>
const opened: Outbox[] = []

beforeEach(async () => {
  folder = await makeTemporaryFolder()
  storage = await openSqliteStorage(join(folder.path, 'goldweight.db'))
  server = await startMailServer()
  clock = createTestClock()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map(outbox => outbox.close()))
  await server.close()
  await storage.close()
  await folder.remove()
})

type Options = { readonly transport?: MailTransport; readonly lines?: string[]; readonly secret?: string }

function openOutbox({ transport, lines, secret = 'a secret of the tests' }: Options = {}): Outbox {
  const log = lines ? createLog('info', { write: line => void lines.push(line) }) : silentLog
  const outbox = createOutbox({
    storage,
    clock,
    cipher: createCipher(secret),
    transport: transport ?? createSmtpTransport({ url: server.url, from: FROM }),
    readName: async () => 'Acme',
    host: 'gold.example',
    log,
  })
  opened.push(outbox)
  return outbox
}

const MAIL: NewMail = {
  kind: 'greeting',
  to: 'ada@example.org',
  letter: { subject: 'Grüße', paragraphs: ['Ça va? A secret-token stands here.'] },
  validForMs: 60 * MINUTE_MS,
}

const waiting = () => storage.db.selectFrom('outgoing_mails').selectAll().execute()

test('a mail that was put in is sent by itself, and kept no longer', async () => {
  await storage.commit([openOutbox().add(MAIL)])
  const mail = await server.mailTo('ada@example.org')
  expect(mail).toMatchObject({ from: 'Gold & Co <gold@example.org>', subject: 'Grüße' })
  expect(mail.text).toContain('Ça va?')
  expect(mail.html).toContain('Ça va?')
  expect(mail.messageId).toMatch(/^<mai_[0-9a-z]+@gold\.example>$/)
  expect(mail.headers).toContainEqual(
    expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
  )
  await opened[0]?.sendDue()
  expect(await waiting()).toEqual([])
})

test('what it says is not readable in the store', async () => {
  const outbox = openOutbox()
  server.refuse(1, 451)
  await storage.commit([outbox.add(MAIL)])
  await outbox.sendDue()
  const stored = JSON.stringify(await waiting())
  expect(stored).toContain('greeting')
  expect(stored).not.toMatch(/ada|secret-token/)
})

test('a unit that fails sends nothing', async () => {
  const outbox = openOutbox()
  const nothing = { query: storage.db.deleteFrom('users').where('id', '=', 'usr_none'), expectRows: 1 }
  expect((await storage.commit([outbox.add(MAIL), nothing])).kind).toBe('unmet')
  await outbox.sendDue()
  expect(server.mails).toEqual([])
})

test('what a server refuses for now is tried again, with ever longer pauses, under the same identifier', async () => {
  const lines: string[] = []
  const outbox = openOutbox({ lines })
  server.refuse(2, 451)
  await storage.commit([outbox.add(MAIL)])
  await outbox.sendDue()
  await outbox.sendDue()
  expect(server.mails).toEqual([])
  clock.advance(15_000)
  await outbox.sendDue()
  clock.advance(15_000)
  await outbox.sendDue()
  expect(server.mails).toEqual([])
  clock.advance(15_000)
  await outbox.sendDue()
  expect(server.mails).toHaveLength(1)
  expect(lines).toHaveLength(2)
  expect(lines.join('')).toContain('greeting')
  expect(lines.join('')).not.toMatch(/ada|secret-token/)
})

test('what a server refuses for good is given up, and the log says so without names', async () => {
  const lines: string[] = []
  const outbox = openOutbox({ lines })
  server.refuse(1, 550)
  await storage.commit([outbox.add(MAIL)])
  await outbox.sendDue()
  expect(await waiting()).toEqual([])
  expect(lines.join('')).toMatch(/given up/)
  expect(lines.join('')).not.toMatch(/ada|secret-token/)
})

test('a mail that is of no use any more is not sent', async () => {
  const outbox = openOutbox()
  server.refuse(1, 451)
  await storage.commit([outbox.add(MAIL)])
  await outbox.sendDue()
  clock.advance(61 * MINUTE_MS)
  await outbox.sendDue()
  expect(server.mails).toEqual([])
  expect(await waiting()).toEqual([])
})

test('a server that is not there is tried again', async () => {
  const transport = createSmtpTransport({ url: 'smtp://127.0.0.1:1', from: FROM })
  const outbox = openOutbox({ transport })
  await storage.commit([outbox.add(MAIL)])
  await outbox.sendDue()
  expect(await waiting()).toHaveLength(1)
})

test('a mail that waits is sent by the next start', async () => {
  const first = openOutbox({ transport: createSmtpTransport({ url: 'smtp://127.0.0.1:1', from: FROM }) })
  await storage.commit([first.add(MAIL)])
  await first.sendDue()
  await first.close()
  clock.advance(MINUTE_MS)
  await openOutbox().sendDue()
  expect(server.mails).toHaveLength(1)
})

test('of several nodes one sends it', async () => {
  const nodes = [1, 2, 3, 4].map(() => openOutbox())
  await storage.commit(
    Array.from({ length: 9 }, () => nodes[0]?.add(MAIL)).filter(write => write !== undefined),
  )
  await Promise.all(nodes.map(node => node.sendDue()))
  await Promise.all(nodes.map(node => node.sendDue()))
  expect(server.mails).toHaveLength(9)
  expect(new Set(server.mails.map(mail => mail.messageId)).size).toBe(9)
})

test('what a node that died had begun is sent by another, when its claim is over', async () => {
  const hanging: MailTransport = { send: () => new Promise(() => {}), close: () => {} }
  const dead = openOutbox({ transport: hanging })
  opened.pop()
  await storage.commit([dead.add(MAIL)])
  void dead.sendDue()
  const other = openOutbox()
  await expect.poll(async () => (await waiting())[0]?.attempts).toBe(1)
  await other.sendDue()
  expect(server.mails).toEqual([])
  clock.advance(3 * MINUTE_MS)
  await other.sendDue()
  expect(server.mails).toHaveLength(1)
})

test('a mail that was sealed with another secret is given up', async () => {
  const lines: string[] = []
  const first = openOutbox({ transport: createSmtpTransport({ url: 'smtp://127.0.0.1:1', from: FROM }) })
  await storage.commit([first.add(MAIL)])
  await first.sendDue()
  await first.close()
  clock.advance(MINUTE_MS)
  await openOutbox({ secret: 'another secret', lines }).sendDue()
  expect(await waiting()).toEqual([])
  expect(lines.join('')).toContain('sealed with another secret')
})
