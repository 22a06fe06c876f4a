import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { creditChange } from '#contract/ledger.ts'
import { type Account, changeCredits, refreshAccounts } from '#web/api/admin/accounts.ts'
import { useForm } from '#web/api/use-form.ts'
import { EXPIRIES, expiryOf } from '#web/keys/expiry.ts'
import { formatCredits } from '#web/ui/credits.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { notify } from '#web/ui/toast.tsx'
import { typedNumber } from '#web/ui/typed-number.ts'

export type ChangeCreditsDialogProps = {
  readonly account: Account
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Gives credits to an account, or takes some: each change is an entry of its ledger with a note. */
export function ChangeCreditsDialog({ account, open, onOpenChange }: ChangeCreditsDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Change the credits of ${account.name}`}
      description={`${formatCredits(account.remaining)} are left. The customer sees the entry with its note.`}
    >
      <ChangeCreditsForm account={account} onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

const KINDS = [
  { value: 'grant', label: 'Grant: credits that were not bought' },
  { value: 'adjustment', label: 'Adjustment: puts something right' },
  { value: 'refund', label: 'Refund: for what should not have been charged' },
]

const schema = creditChange.extend({ note: creditChange.shape.note.unwrap().min(1) })

type ChangeCreditsFormProps = { readonly account: Account; readonly onDone: () => void }

function ChangeCreditsForm({ account, onDone }: ChangeCreditsFormProps) {
  const queryClient = useQueryClient()
  const [kind, setKind] = useState('grant')
  const { formProps, pending } = useForm({
    schema,
    submit: body => changeCredits(account.id, body),
    onDone: entry => {
      onDone()
      notify('Credits changed', `The balance is ${formatCredits(entry.balance_after)} now.`)
      void refreshAccounts(queryClient)
    },
    messages: {
      amount: 'Give a number of credits, such as 100 or 0.5.',
      note: 'Say what it is for: the customer reads it, and so will you.',
    },
  })
  return (
    <Form
      {...formProps}
      onFormSubmit={({ amount, note, expiry }) => {
        const expires_at = kind === 'grant' ? (expiryOf(expiry) ?? undefined) : undefined
        formProps.onFormSubmit({ kind, note, amount: typedNumber(amount), expires_at })
      }}
    >
      <SelectField label="Kind" choices={KINDS} value={kind} onValueChange={setKind} />
      <TextField
        name="amount"
        label="Credits"
        inputMode="decimal"
        autoComplete="off"
        description={kind === 'grant' ? undefined : 'Below 0 to take some, such as -5.'}
        required
      />
      {kind === 'grant' && (
        <SelectField name="expiry" label="What is unused ends" choices={EXPIRIES} defaultValue="never" />
      )}
      <TextArea name="note" label="Note" maxLength={1000} required />
      <SubmitButton pending={pending}>Change credits</SubmitButton>
    </Form>
  )
}
