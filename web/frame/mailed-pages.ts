/** The page that a link in a mail leads to, by the name under which its token is kept. */
export const VERIFY_EMAIL = 'verify-email'
