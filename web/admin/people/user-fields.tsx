import { TextField } from '#web/ui/text-field.tsx'

/** What to say of a field about a person that is refused. */
export const PERSON_MESSAGES = {
  name: 'Give a name of up to 200 characters.',
  email: 'Give an e-mail address, such as ama@example.org.',
  password: 'Choose a password of at least 10 characters.',
} as const

export type PersonFieldsProps = { readonly person?: { readonly name: string; readonly email: string } }

/** Name and e-mail address of somebody. Stands in a `Form`. */
export function PersonFields({ person }: PersonFieldsProps) {
  return (
    <>
      <TextField name="name" label="Name" defaultValue={person?.name} autoComplete="off" required />
      <TextField
        name="email"
        label="E-mail address"
        type="email"
        defaultValue={person?.email}
        autoComplete="off"
        required
      />
    </>
  )
}

/** A password that is chosen for somebody. Stands in a `Form`. */
export function FirstPassword({ label = 'First password' }: { readonly label?: string }) {
  return (
    <TextField
      name="password"
      label={label}
      type="password"
      autoComplete="new-password"
      description="At least 10 characters. Hand it over safely, and have it changed."
      required
    />
  )
}
