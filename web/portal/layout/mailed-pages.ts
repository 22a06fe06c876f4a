import { VERIFY_EMAIL } from '#web/frame/mailed-pages.ts'

/** Pages that speak of one's address anyway. */
export const PAGES_ABOUT_THE_ADDRESS: ReadonlySet<string> = new Set(['/account', `/${VERIFY_EMAIL}`])
