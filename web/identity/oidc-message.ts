/** What went wrong on the way through another service, by the `error` that it left in the address. */
const MESSAGES: Readonly<Record<string, string>> = {
  oidc_denied: 'The sign-in was cancelled there.',
  oidc_unavailable: 'The other service does not answer. Try again later, or sign in with your password.',
  oidc_expired: 'That took too long, or was begun in another window. Try again.',
  oidc_unknown: 'Nobody here has this identity. Sign in with your password and connect it in your account.',
  oidc_sign_up_closed: 'Sign-up is closed; ask the operator for access.',
  oidc_email_unverified:
    'The other service does not say that your e-mail address is yours. Confirm it there and try again.',
  oidc_email_taken:
    'There is an account with your e-mail address already. Sign in with its password, and connect the other service in your account.',
  oidc_identity_taken: 'This identity belongs to another account.',
  oidc_busy: 'Too many new accounts for now. Try again later.',
}

/** The words for it; null when nothing went wrong. */
export function oidcMessage(error: string | undefined): string | null {
  if (!error?.startsWith('oidc_')) return null
  return MESSAGES[error] ?? 'The sign-in there failed. Try again.'
}
