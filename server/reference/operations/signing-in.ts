import type { Operations, Tag } from '../operation.ts'
import { conflict, forbidden, invalid, notFound, tooManyAttempts, wrongPair } from '../own-refusals.ts'

type Realm = { readonly path: '/client' | '/admin'; readonly tag: Tag; readonly person: string }

const WRONG_PASSWORD = forbidden('The current password is wrong')
const WRONG_CODE = forbidden('The code is wrong, or was used before')
const NO_MAIL = forbidden('This service sends no mail')
const OLD_LINK = forbidden('This link was used before or is too old; ask for a new one')
const TAKEN = conflict('This e-mail address is taken')

/** How people get in and look after how they do: the same in both realms, by cookies of their own. */
export function signingInOperations({ path, tag, person }: Realm): Operations {
  const open = { tag, access: 'anyone' } as const
  return {
    [`GET ${path}/config`]: { ...open, summary: 'Read what there is to sign in by' },
    [`POST ${path}/sign-in`]: {
      ...open,
      summary: `Sign in as ${person}`,
      description:
        'Sets the cookie of a session; answers 202 when a second factor is due, and nobody is signed in yet.',
      refusals: [wrongPair, tooManyAttempts],
    },
    [`POST ${path}/sign-in/second-factor`]: {
      ...open,
      summary: 'Give the second factor that is due',
      refusals: [{ ...wrongPair, when: 'The code is wrong, or no second factor is due' }, tooManyAttempts],
    },
    [`POST ${path}/sign-out`]: { tag, summary: 'Sign out' },
    [`GET ${path}/me`]: { tag, summary: 'Read who is signed in' },
    [`GET ${path}/profile`]: { tag, summary: 'Read your profile' },
    [`PATCH ${path}/profile`]: { tag, summary: 'Change your name' },
    [`POST ${path}/password`]: {
      tag,
      summary: 'Change your password',
      description: 'Ends all of your other sessions.',
      refusals: [WRONG_PASSWORD, tooManyAttempts],
    },
    [`POST ${path}/password/forgotten`]: {
      ...open,
      summary: 'Ask for a link to choose a new password',
      description: 'Answers the same whether or not there is such a person.',
      refusals: [NO_MAIL, tooManyAttempts],
    },
    [`POST ${path}/password/reset`]: {
      ...open,
      summary: 'Choose a new password by the link that was mailed',
      refusals: [OLD_LINK, tooManyAttempts],
    },
    [`POST ${path}/email`]: {
      tag,
      summary: 'Change your e-mail address',
      refusals: [WRONG_PASSWORD, NO_MAIL, TAKEN, tooManyAttempts],
    },
    [`POST ${path}/email/verification`]: {
      tag,
      summary: 'Ask for a link to confirm your e-mail address',
      refusals: [NO_MAIL, conflict('This e-mail address is confirmed already'), tooManyAttempts],
    },
    [`POST ${path}/email/verify`]: {
      tag,
      summary: 'Confirm an e-mail address by the link that was mailed',
      refusals: [OLD_LINK, TAKEN],
    },
    [`GET ${path}/oidc/start`]: {
      ...open,
      isOptional: true,
      summary: 'Sign in through the OpenID Connect provider',
      description: 'For browsers: leads to the provider, which leads back.',
      replyType: 'text/html',
    },
    [`GET ${path}/oidc/callback`]: {
      ...open,
      isOptional: true,
      summary: 'Come back from the OpenID Connect provider',
      description:
        'For browsers: leads to the page that was asked for, or to the sign-in with what went wrong.',
      replyType: 'text/html',
    },
    [`GET ${path}/identities`]: { tag, summary: 'List your identities at other services' },
    [`POST ${path}/identities`]: {
      tag,
      summary: 'Begin to connect an identity at another service',
      refusals: [WRONG_PASSWORD, forbidden('There is no other service to sign in through')],
    },
    [`POST ${path}/identities/:id/unlink`]: {
      tag,
      summary: 'Take the connection to an identity away',
      refusals: [WRONG_PASSWORD, notFound('No such identity'), conflict('Choose a password first')],
    },
    [`GET ${path}/sessions`]: { tag, summary: 'List your sessions' },
    [`DELETE ${path}/sessions`]: { tag, summary: 'End all of your other sessions' },
    [`DELETE ${path}/sessions/:id`]: {
      tag,
      summary: 'End one of your sessions',
      refusals: [notFound('No such session')],
    },
    [`POST ${path}/two-factor`]: {
      tag,
      summary: 'Begin to set up a second factor',
      description: 'Answers the secret for an authenticator app, this once.',
      refusals: [WRONG_PASSWORD, conflict('The second factor is on already')],
    },
    [`POST ${path}/two-factor/confirm`]: {
      tag,
      summary: 'Turn the second factor on',
      description: 'Answers the recovery codes, this once.',
      refusals: [WRONG_CODE, conflict('Begin with a new secret')],
    },
    [`POST ${path}/two-factor/disable`]: {
      tag,
      summary: 'Turn the second factor off',
      refusals: [WRONG_CODE, WRONG_PASSWORD, invalid('There is no second factor to turn off')],
    },
    [`POST ${path}/two-factor/recovery-codes`]: {
      tag,
      summary: 'Make new recovery codes',
      description: 'The old ones are worth nothing from then on.',
      refusals: [WRONG_CODE, WRONG_PASSWORD],
    },
  }
}
