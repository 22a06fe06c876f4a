import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { administratorRole, createAdministrator } from '#contract/administrators.ts'
import { displayName } from '#contract/primitives.ts'
import {
  ADMINISTRATORS,
  type Administrator,
  changeAdministrator,
  makeAdministrator,
} from '#web/api/admin/administrators.ts'
import { useForm } from '#web/api/use-form.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { notify } from '#web/ui/toast.tsx'
import { ROLE_WORDS } from '../layout/role-words.ts'
import { FirstPassword, PERSON_MESSAGES, PersonFields } from './user-fields.tsx'

const ROLES = administratorRole.options.map(value => ({
  value,
  label: `${ROLE_WORDS[value].label}: ${ROLE_WORDS[value].includes.toLowerCase()}`,
}))

export type NewAdministratorDialogProps = {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Makes an administrator. */
export function NewAdministratorDialog({ open, onOpenChange }: NewAdministratorDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="New administrator">
      <NewAdministratorForm onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

function NewAdministratorForm({ onDone }: { readonly onDone: () => void }) {
  const queryClient = useQueryClient()
  const { formProps, pending } = useForm({
    schema: createAdministrator,
    submit: makeAdministrator,
    onDone: ({ email }) => {
      onDone()
      notify('Administrator made', `${email} can sign in with the password that you chose.`)
      void queryClient.invalidateQueries({ queryKey: ADMINISTRATORS })
    },
    messages: PERSON_MESSAGES,
  })
  return (
    <Form {...formProps}>
      <PersonFields />
      <SelectField name="role" label="Role" choices={ROLES} defaultValue="operator" />
      <FirstPassword />
      <SubmitButton pending={pending}>Make administrator</SubmitButton>
    </Form>
  )
}

export type EditAdministratorDialogProps = {
  /** Whom to change; null while nobody asks for it. */
  readonly administrator: Administrator | null
  readonly onClose: () => void
}

/** Changes the name or the role of an administrator. */
export function EditAdministratorDialog({ administrator, onClose }: EditAdministratorDialogProps) {
  return (
    <Dialog
      open={administrator !== null}
      onOpenChange={open => !open && onClose()}
      title="Edit administrator"
      description="A new role ends all of their sessions."
    >
      {administrator && <EditForm administrator={administrator} onDone={onClose} />}
    </Dialog>
  )
}

type EditFormProps = { readonly administrator: Administrator; readonly onDone: () => void }

function EditForm({ administrator, onDone }: EditFormProps) {
  const queryClient = useQueryClient()
  const { formProps, pending } = useForm({
    schema: z.object({ name: displayName, role: administratorRole }),
    submit: body => changeAdministrator(administrator.id, body),
    onDone: () => {
      onDone()
      notify('Administrator saved')
      void queryClient.invalidateQueries({ queryKey: ADMINISTRATORS })
    },
    messages: PERSON_MESSAGES,
  })
  return (
    <Form {...formProps}>
      <TextField name="name" label="Name" defaultValue={administrator.name} autoComplete="off" required />
      <SelectField name="role" label="Role" choices={ROLES} defaultValue={administrator.role} />
      <SubmitButton pending={pending}>Save</SubmitButton>
    </Form>
  )
}
