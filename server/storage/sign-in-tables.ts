/** The tables of sign-in as Kysely sees them, by the conventions of `tables.ts`. */

export type Realm = 'client' | 'admin'

export type SessionRow = {
  id: string
  realm: Realm
  subject_id: string
  /** SHA-256 of the session token, in hex: the token itself is nowhere stored. */
  token_hash: string
  created_at: number
  expires_at: number
  /** To within a few minutes. */
  last_seen_at: number
  /** Such as `Firefox on Linux`, and the address it signed in from; null for sessions that nobody's browser opened. */
  user_agent: string | null
  address: string | null
}

/** What a token that works once is good for. */
export type TokenPurpose = 'second-factor' | 'reset-password' | 'verify-email' | 'change-email' | 'oidc-used'

export type OneTimeTokenRow = {
  /** SHA-256 of the token, in hex. */
  token_hash: string
  purpose: TokenPurpose
  realm: Realm
  subject_id: string
  /** The address that the token was sent to; null for one that was not sent by mail. */
  email: string | null
  created_at: number
  expires_at: number
}

export type TwoFactorRow = {
  realm: Realm
  subject_id: string
  /** Encrypted with the service's secret. */
  secret_ciphertext: string
  /** The time step of the code that was accepted last: it and those before it are worth nothing any more. */
  last_step: number
  created_at: number
  /** null while nobody has shown a code of it. */
  confirmed_at: number | null
}

/** A code that is used is deleted. */
export type RecoveryCodeRow = {
  realm: Realm
  subject_id: string
  /** SHA-256 of the code, in hex. */
  code_hash: string
}

export type SignInAttemptRow = {
  /** `client email ada@example.org`, `admin ip 192.0.2.1` … */
  subject: string
  failures: number
  window_started_at: number
}

/** A mail that waits to be sent: one that was sent is deleted. */
export type OutgoingMailRow = {
  id: string
  /** Such as `reset-password`: the only thing of it that is shown anywhere. */
  kind: string
  /** The letter and whom it goes to, encrypted: some carry tokens. */
  content_ciphertext: string
  /** How often it was tried; counted before each try. */
  attempts: number
  next_attempt_at: number
  /** After this it is of no use to anybody. */
  expires_at: number
  created_at: number
}

/** By which identity at another service a person signs in. */
export type ExternalIdentityRow = {
  id: string
  realm: Realm
  subject_id: string
  issuer: string
  external_subject: string
  /** The address that the other service showed when they were linked. */
  email: string | null
  created_at: number
}
