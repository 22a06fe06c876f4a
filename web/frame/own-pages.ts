/** The page that a link in a mail leads to, by the name under which its token is kept. */
export const VERIFY_EMAIL = 'verify-email'

/** Pages about nothing but who one is and how one signs in. */
export const OWN_PAGES: ReadonlySet<string> = new Set(['/account', `/${VERIFY_EMAIL}`])
