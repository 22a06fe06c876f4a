import { createTransport } from 'nodemailer'
import type { RenderedLetter } from './letter.ts'

/** A mail on its way to a server. */
export type Mail = RenderedLetter & {
  readonly to: string
  /** Whose it is, where the operator gave the sender's address without a name. */
  readonly sender: string
  /** The same for each try, so that receivers can tell a repetition. */
  readonly messageId: string
}

export type SendOutcome =
  | { readonly kind: 'sent' }
  /** `reason` is a code alone: what servers say may name people. */
  | { readonly kind: 'failed'; readonly isFinal: boolean; readonly reason: string }

/** Hands mails to a server. */
export type MailTransport = {
  /** Never throws. */
  send(mail: Mail): Promise<SendOutcome>
  close(): void
}

export type SmtpOptions = { readonly url: string; readonly from: string }

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 } as const

/** A server that speaks SMTP, at `smtp://user:password@host:587` or `smtps://…`; STARTTLS is used where it is offered. */
export function createSmtpTransport({ url, from }: SmtpOptions): MailTransport {
  const transport = createTransport({ url, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true })
  return {
    send: async ({ to, sender, subject, text, html, messageId }) => {
      try {
        await transport.sendMail({
          from: from.includes('<') ? from : { name: sender, address: from },
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId,
          // RFC 3834: so that nobody's holiday answers.
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        return { kind: 'sent' }
      } catch (error) {
        return toFailure(error)
      }
    },
    close: () => transport.close(),
  }
}

/** RFC 5321, section 4.2.1: replies of the 500s are final. A server that refuses our own sign-in may be set right yet. */
function toFailure(error: unknown): SendOutcome {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown } // fields are read as they may be
  const status = typeof responseCode === 'number' ? responseCode : null
  const reason = [typeof code === 'string' ? code : 'failed', ...(status === null ? [] : [status])].join(' ')
  return { kind: 'failed', isFinal: status !== null && status >= 500 && code !== 'EAUTH', reason }
}
