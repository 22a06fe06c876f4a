/** A mail server that keeps what it is sent, as receivers would read it. */
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { eventually } from './eventually.ts'

export type ReceivedMail = {
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly messageId: string
  readonly headers: Email['headers']
}

export type MailServer = {
  readonly url: string
  readonly mails: readonly ReceivedMail[]
  /** Refuses so many messages with this reply before it takes others again. */
  refuse(count: number, responseCode: number): void
  /** The newest mail to an address with this subject, as soon as it is there. */
  mailTo(address: string, subject?: RegExp): Promise<ReceivedMail>
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  let refusals = { count: 0, responseCode: 0 }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const pieces: Buffer[] = []
      stream.on('data', piece => pieces.push(piece))
      stream.on('end', async () => {
        if (refusals.count > 0) {
          refusals.count--
          done(Object.assign(new Error('Not now'), { responseCode: refusals.responseCode }))
          return
        }
        const mail = await PostalMime.parse(Buffer.concat(pieces))
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address).join(', '),
          from: `${mail.from?.name} <${mail.from?.address}>`,
          subject: mail.subject ?? '',
          text: mail.text ?? '',
          html: mail.html ?? '',
          messageId: mail.messageId ?? '',
          headers: mail.headers,
        })
        done()
      })
    },
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: (count, responseCode) => {
      refusals = { count, responseCode }
    },
    mailTo: async (to, subject = /./) => {
      const find = () => mails.findLast(mail => mail.to === to && subject.test(mail.subject))
      let found: ReceivedMail | undefined
      await eventually(() => {
        found = find()
        if (!found)
          throw new Error(
            `No mail to ${to} with ${subject}; there are: ${mails.map(mail => `${mail.to} ${mail.subject}`)}`,
          )
      })
      if (!found) throw new Error('It was there just now')
      return found
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}

/** The token in the link of a mail. */
export function tokenIn({ text }: ReceivedMail): string {
  const token = /#token=([A-Za-z0-9_-]{43})\b/.exec(text)?.[1]
  if (token === undefined) throw new Error(`No token in: ${text}`)
  return token
}
