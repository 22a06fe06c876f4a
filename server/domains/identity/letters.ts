import type { Letter } from '#domains/mail/letter.ts'

const NOT_YOU = 'If you did not ask for this, you can ignore this mail: nothing has changed.'

export function verifyEmailLetter(url: string): Letter {
  return {
    subject: 'Confirm your e-mail address',
    paragraphs: ['Please confirm that this address is yours. The link is good for three days.'],
    action: { label: 'Confirm this address', url },
    closing: [NOT_YOU],
  }
}

export function resetPasswordLetter(url: string): Letter {
  return {
    subject: 'Choose a new password',
    paragraphs: [
      'Somebody, hopefully you, asked for a new password. The link is good for one hour and works once.',
    ],
    action: { label: 'Choose a new password', url },
    closing: [NOT_YOU],
  }
}

export function changeEmailLetter(url: string): Letter {
  return {
    subject: 'Confirm your new e-mail address',
    paragraphs: [
      'You asked to use this address from now on. It is changed when you confirm it. The link is good for one day.',
    ],
    action: { label: 'Use this address', url },
    closing: [NOT_YOU],
  }
}

/** For whoever has the address already, so that the page need not tell the other one that it is taken. */
export function emailTakenLetter(signInUrl: string): Letter {
  return {
    subject: 'You have an account already',
    paragraphs: [
      'Somebody, maybe you, wanted to change the address of another account to this one. It belongs to an account already, so nothing was changed.',
    ],
    action: { label: 'Sign in with this address', url: signInUrl },
  }
}

/** What happened to how somebody signs in, each as a sentence. */
const NEWS = {
  change_password: ['Your password was changed', 'The password of your account was changed.'],
  reset_password: ['Your password was changed', 'A new password was chosen for your account by e-mail.'],
  change_email: [
    'Your e-mail address was changed',
    'You sign in with another e-mail address now. This is the last mail to the old one.',
  ],
  enable_two_factor: [
    'Your second factor is on',
    'Signing in asks for a code of your authenticator app from now on.',
  ],
  disable_two_factor: [
    'Your second factor is off',
    'Signing in asks for no code of your authenticator app any more.',
  ],
  renew_recovery_codes: [
    'You have new recovery codes',
    'New recovery codes were made. The old ones are void.',
  ],
  use_recovery_code: [
    'A recovery code was used',
    'Somebody signed in to your account with a recovery code, which is used up now.',
  ],
  link_identity: [
    'Another way to sign in',
    'An account at another service was connected to yours: whoever signs in there gets in here.',
  ],
  unlink_identity: [
    'One way less to sign in',
    'An account at another service was disconnected from yours and opens it no more.',
  ],
  guess_second_factor: [
    'Somebody knows your password',
    'Somebody signed in with your password and then gave too many wrong codes of your second factor. Unless that was you, choose a new password.',
  ],
} as const satisfies Record<string, readonly [subject: string, sentence: string]>

export type NewsEvent = keyof typeof NEWS

export function isNews(event: string): event is NewsEvent {
  return event in NEWS
}

export function newsLetter(event: NewsEvent, forgottenUrl: string): Letter {
  const [subject, sentence] = NEWS[event]
  return {
    subject,
    paragraphs: [sentence],
    action: { label: 'If that was not you, choose a new password', url: forgottenUrl },
    closing: ['This also ends all sessions that are open.'],
  }
}
