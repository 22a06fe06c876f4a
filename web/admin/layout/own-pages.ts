import { VERIFY_EMAIL } from '#web/frame/mailed-pages.ts'

/** Pages about nothing but how one signs in oneself. */
export const OWN_PAGES: ReadonlySet<string> = new Set(['/account', `/${VERIFY_EMAIL}`])
