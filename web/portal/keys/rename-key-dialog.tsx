import { useQueryClient } from '@tanstack/react-query'
import { patchClientKey } from '#contract/keys.ts'
import { KEYS, type Key, renameKey } from '#web/api/client/keys.ts'
import { useForm } from '#web/api/use-form.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { notify } from '#web/ui/toast.tsx'

export type RenameKeyDialogProps = {
  /** The key to rename; null while nobody asks for it. */
  readonly apiKey: Key | null
  readonly onClose: () => void
}

export function RenameKeyDialog({ apiKey, onClose }: RenameKeyDialogProps) {
  return (
    <Dialog open={apiKey !== null} onOpenChange={open => !open && onClose()} title="Rename key">
      {apiKey && <RenameKeyForm apiKey={apiKey} onDone={onClose} />}
    </Dialog>
  )
}

function RenameKeyForm({ apiKey, onDone }: { readonly apiKey: Key; readonly onDone: () => void }) {
  const queryClient = useQueryClient()
  const { formProps, pending } = useForm({
    schema: patchClientKey,
    submit: body => renameKey(apiKey.id, body),
    messages: { name: 'Give a name of up to 200 characters.' },
    onDone: ({ name }) => {
      onDone()
      notify('Key renamed', `It is called ${name} from now on.`)
      void queryClient.invalidateQueries({ queryKey: KEYS })
    },
  })
  return (
    <Form {...formProps}>
      <TextField name="name" label="Name" defaultValue={apiKey.name} autoComplete="off" required />
      <SubmitButton pending={pending}>Rename key</SubmitButton>
    </Form>
  )
}
