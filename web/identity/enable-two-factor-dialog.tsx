import { useState } from 'react'
import { confirmTwoFactor, proof } from '#contract/sessions.ts'
import { beginTwoFactor, confirmOwnTwoFactor, type TwoFactorSecret } from '#web/api/identity.ts'
import { useForm } from '#web/api/use-form.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { CurrentPassword } from './current-password.tsx'
import type { PersonDialogProps } from './person-dialog.ts'
import type { PanelOfPersonProps } from './profile-panel.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** Sets the second factor up: the password, the secret with a first code of it, the recovery codes. */
export function EnableTwoFactorDialog({ open, onOpenChange, onChanged, ...person }: PersonDialogProps) {
  const [secret, setSecret] = useState<TwoFactorSecret | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const changeOpen = (next: boolean) => {
    onOpenChange(next)
    if (next) return
    setSecret(null)
    setCodes(null)
  }
  const step = codes ? STEPS.codes : secret ? STEPS.code : STEPS.password
  return (
    <Dialog open={open} onOpenChange={changeOpen} keepsOpen={codes !== null} {...step}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => changeOpen(false)} />
      ) : secret ? (
        <FirstCode
          realm={person.realm}
          secret={secret}
          onConfirmed={made => {
            setCodes(made)
            onChanged()
          }}
        />
      ) : (
        <Begin {...person} onBegun={setSecret} />
      )}
    </Dialog>
  )
}

const STEPS = {
  password: {
    title: 'Set up a second factor',
    description: 'You need an authenticator app on your phone, such as Aegis, 2FAS or Google Authenticator.',
  },
  code: { title: 'Scan with your app', description: 'Then give the code that the app shows.' },
  codes: {
    title: 'The second factor is on',
    description: 'Keep these recovery codes now: they can not be shown again.',
  },
} as const

type BeginProps = PanelOfPersonProps & { readonly onBegun: (secret: TwoFactorSecret) => void }

function Begin({ realm, profile, onBegun }: BeginProps) {
  const { formProps, pending } = useForm({
    schema: proof,
    submit: body => beginTwoFactor(realm, body),
    onDone: onBegun,
    messages: { current_password: 'Give your current password.' },
  })
  return (
    <Form {...formProps}>
      <CurrentPassword profile={profile} />
      <SubmitButton pending={pending}>Continue</SubmitButton>
    </Form>
  )
}

type FirstCodeProps = Pick<PanelOfPersonProps, 'realm'> & {
  readonly secret: TwoFactorSecret
  readonly onConfirmed: (codes: readonly string[]) => void
}

function FirstCode({ realm, secret, onConfirmed }: FirstCodeProps) {
  const { formProps, pending } = useForm({
    schema: confirmTwoFactor,
    submit: body => confirmOwnTwoFactor(realm, body),
    onDone: ({ recovery_codes }) => onConfirmed(recovery_codes),
    messages: { code: 'Give the six digits that the app shows.' },
  })
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col items-center gap-5 sm:flex-row sm:items-start">
        <QrCode
          text={secret.otpauth_url}
          label="A picture to scan with your authenticator app"
          className="size-44 shrink-0 rounded-md border border-line"
        />
        <div className="flex w-full min-w-0 flex-col gap-2 text-sm sm:w-auto">
          <p className="text-muted">No camera at hand? Type this key into the app:</p>
          <code className="font-mono text-sm whitespace-pre">{inGroups(secret.secret)}</code>
          <CopyButton text={secret.secret} label="Copy key" className="self-start" />
        </div>
      </div>
      <Form {...formProps}>
        <TextField
          name="code"
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          required
        />
        <SubmitButton pending={pending}>Switch on</SubmitButton>
      </Form>
    </div>
  )
}

/** Four letters at a time on lines of four groups, as one copies them by hand. */
function inGroups(secret: string): string {
  return (secret.match(/.{1,16}/g) ?? []).map(line => line.replace(/(.{4})(?=.)/g, '$1 ')).join('\n')
}
