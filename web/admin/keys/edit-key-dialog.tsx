import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeKey, KEYS, type Key } from '#web/api/admin/keys.ts'
import { useForm } from '#web/api/use-form.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { notify } from '#web/ui/toast.tsx'
import { changedKeyFields, changedRules, KEY_MESSAGES, KeyFields, keyRules } from './key-fields.tsx'

export type KeyDialogProps = {
  /** Which key; null while nobody asks for it. */
  readonly apiKey: Key | null
  readonly onClose: () => void
}

/** Changes the limits of a key, and what else it may do. */
export function EditKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  return (
    <Dialog
      open={apiKey !== null}
      onOpenChange={open => !open && onClose()}
      title={`Limits of ${apiKey?.name ?? 'the key'}`}
      description="They hold from the next request on, on every node within a second."
    >
      {apiKey && <EditKeyForm apiKey={apiKey} onDone={onClose} />}
    </Dialog>
  )
}

function EditKeyForm({ apiKey, onDone }: { readonly apiKey: Key; readonly onDone: () => void }) {
  const queryClient = useQueryClient()
  // As the fields began: the list may load it anew meanwhile.
  const [shown] = useState(apiKey)
  const { formProps, pending } = useForm({
    schema: changedKeyFields,
    submit: fields => changeKey(shown.id, changedRules(keyRules(fields), shown)),
    onDone: ({ name }) => {
      onDone()
      notify('Key changed', `What you set for ${name} holds now.`)
      void queryClient.invalidateQueries({ queryKey: KEYS })
    },
    messages: KEY_MESSAGES,
  })
  return (
    <Form {...formProps}>
      <KeyFields apiKey={apiKey} />
      <SubmitButton pending={pending}>Save</SubmitButton>
    </Form>
  )
}
