import type { Profile } from '#web/api/identity.ts'
import { Notice } from '#web/ui/notice.tsx'
import { TextField } from '#web/ui/text-field.tsx'

/** Asks for the password once more, or says what is needed in its place by who has none. Stands in a `Form`. */
export function CurrentPassword({ profile }: { readonly profile: Profile }) {
  if (!profile.has_password)
    return <Notice>You have no password here, so this works in the first minutes after signing in.</Notice>
  return (
    <TextField
      name="current_password"
      label="Current password"
      type="password"
      autoComplete="current-password"
      required
    />
  )
}
