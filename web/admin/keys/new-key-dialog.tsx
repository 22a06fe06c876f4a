import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type CreatedKey, KEYS, makeKey } from '#web/api/admin/keys.ts'
import type { User } from '#web/api/admin/users.ts'
import { useForm } from '#web/api/use-form.ts'
import { EXPIRIES, expiryOf } from '#web/keys/expiry.ts'
import { TokenBox } from '#web/keys/token-box.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { KEY_MESSAGES, KeyFields, keyFields, keyRules } from './key-fields.tsx'

export type NewKeyDialogProps = {
  /** Whom it can be made for. */
  readonly users: readonly User[]
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Makes a key for a user, and shows its token: the only time that anyone sees it. */
export function NewKeyDialog({ users, open, onOpenChange }: NewKeyDialogProps) {
  const [created, setCreated] = useState<CreatedKey | null>(null)
  const changeOpen = (next: boolean) => {
    onOpenChange(next)
    if (!next) setCreated(null)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      keepsOpen={created !== null}
      title={created ? `${created.name} is ready` : 'New key'}
      description={
        created
          ? 'Hand it over now: only a hash of it is kept, so it can not be shown again.'
          : 'The key belongs to the user, who sees it in the portal and can revoke it.'
      }
    >
      {created ? (
        <>
          <TokenBox token={created.token} />
          <div className="mt-5 flex justify-end">
            <Button onClick={() => changeOpen(false)}>I have copied the key</Button>
          </div>
        </>
      ) : (
        <NewKeyForm users={users} onCreated={setCreated} />
      )}
    </Dialog>
  )
}

type NewKeyFormProps = Pick<NewKeyDialogProps, 'users'> & { readonly onCreated: (key: CreatedKey) => void }

function NewKeyForm({ users, onCreated }: NewKeyFormProps) {
  const queryClient = useQueryClient()
  const [userId, setUserId] = useState(users[0]?.id ?? '')
  const [expiry, setExpiry] = useState('never')
  const { formProps, pending } = useForm({
    schema: keyFields,
    submit: fields => makeKey({ ...keyRules(fields), user_id: userId, expires_at: expiryOf(expiry) }),
    onDone: key => {
      onCreated(key)
      void queryClient.invalidateQueries({ queryKey: KEYS })
    },
    messages: KEY_MESSAGES,
  })
  return (
    <Form {...formProps}>
      <SelectField
        label="User"
        choices={users.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
        value={userId}
        onValueChange={setUserId}
      />
      <KeyFields />
      <SelectField label="Expires" choices={EXPIRIES} value={expiry} onValueChange={setExpiry} />
      <SubmitButton pending={pending}>Make key</SubmitButton>
    </Form>
  )
}
