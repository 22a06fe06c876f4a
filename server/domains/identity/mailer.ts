import type { Letter } from '#domains/mail/letter.ts'
import type { Outbox } from '#domains/mail/outbox.ts'
import type { Realm } from '#storage/sign-in-tables.ts'
import type { Statement } from '#storage/storage.ts'

const PAGES = { client: 'portal', admin: 'console' } as const

/** What identity sends mail by. */
export type Mailer = {
  /** The write that sends a letter. */
  send(
    to: string,
    mail: { readonly kind: string; readonly letter: Letter; readonly validForMs?: number },
  ): Statement
  /** Where a realm's pages are. */
  pageUrl(realm: Realm, page: string): string
  /**
   * The address of a page with a token for it. It stands behind the `#`, which browsers keep to themselves: it is in no
   * log and no `Referer`.
   */
  tokenUrl(realm: Realm, page: string, token: string): string
}

/** How long it is of use to tell somebody what happened. */
const NEWS_MS = 2 * 24 * 3600 * 1000

export function createMailer(outbox: Pick<Outbox, 'add'>, publicUrl: string): Mailer {
  const pageUrl = (realm: Realm, page: string) => `${publicUrl}/${PAGES[realm]}/${page}`
  return {
    send: (to, { kind, letter, validForMs = NEWS_MS }) => outbox.add({ kind, to, letter, validForMs }),
    pageUrl,
    tokenUrl: (realm, page, token) => `${pageUrl(realm, page)}#token=${token}`,
  }
}
