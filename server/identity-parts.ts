/** The construction of everything by which people sign in: a part of the composition root. */
import { createSignUp, type SignUp } from '#domains/accounts/sign-up.ts'
import type { Audit } from '#domains/audit/audit.ts'
import { createIdentity } from '#domains/identity/identity.ts'
import { createMailer } from '#domains/identity/mailer.ts'
import { createOidcClient } from '#domains/identity/oidc-client.ts'
import { createOidcFlows } from '#domains/identity/oidc-flows.ts'
import { createOidcSignIn, type OidcSignInParts } from '#domains/identity/oidc-sign-in.ts'
import type { Passwords } from '#domains/identity/passwords.ts'
import { createSmtpTransport } from '#domains/mail/mail-transport.ts'
import { createOutbox } from '#domains/mail/outbox.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import { createBackground } from '#lib/background.ts'
import type { Changes } from '#lib/changes.ts'
import type { Cipher } from '#lib/cipher.ts'
import type { Clock } from '#lib/clock.ts'
import type { Storage } from '#storage/storage.ts'
import { type Log, loggableError } from '#telemetry/log.ts'
import type { Config } from './config.ts'
import type { Features } from './http/identity/config-route.ts'
import type { OidcParts } from './http/identity/oidc-routes.ts'

export type IdentityPartsOptions = {
  readonly config: Pick<Config, 'mail' | 'oidc'>
  readonly storage: Storage
  readonly clock: Clock
  readonly changes: Changes
  readonly audit: Audit
  readonly cipher: Cipher
  readonly settings: SettingsRegister
  readonly log: Log
  /** Waits, to slow down guessing; tests hand in their own. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>
  /** Tests that are not about it take hashes that cost less. */
  readonly passwords?: Passwords
}

export function createIdentityParts(options: IdentityPartsOptions) {
  const { config, log } = options
  const background = createBackground(error => {
    log.error({ error: loggableError(error) }, 'what nobody waited for failed')
  })
  const outbox = config.mail
    ? createOutbox({
        ...options,
        transport: createSmtpTransport(config.mail),
        readName: async () => (await options.settings.get()).branding.name,
        host: new URL(config.mail.publicUrl).hostname,
      })
    : null
  const mailer = outbox && config.mail ? createMailer(outbox, config.mail.publicUrl) : null
  const identity = createIdentity({ ...options, background, mailer })
  const signUp = createSignUp({ ...options, ...identity })
  const features: Features = {
    mail: mailer !== null,
    oidc: config.oidc && { name: config.oidc.name },
  }
  return {
    identity,
    signUp,
    oidc: config.oidc && createOidcParts(config.oidc, { ...options, ...identity, signUp }),
    features,
    /** null where the service sends no mail, as is the outbox. */
    mailer,
    outbox,
    /** Lets end what is under way and needs the store. */
    async close(): Promise<void> {
      await background.settled()
      await outbox?.close()
    },
  }
}

type OidcNeeds = Omit<OidcSignInParts, 'client' | 'signUpByIdentity'> &
  Pick<IdentityPartsOptions, 'clock' | 'cipher' | 'log'> & { readonly signUp: SignUp }

function createOidcParts(options: NonNullable<Config['oidc']>, needs: OidcNeeds): OidcParts {
  const client = createOidcClient({ ...needs, options })
  return {
    client,
    flows: createOidcFlows(needs),
    signIn: createOidcSignIn({ ...needs, client, signUpByIdentity: needs.signUp.byIdentity }),
    publicUrl: options.publicUrl,
  }
}
