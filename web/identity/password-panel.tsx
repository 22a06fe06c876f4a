import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changePassword } from '#contract/sessions.ts'
import { changeOwnPassword, profileQuery, sessionsKey } from '#web/api/identity.ts'
import { useForm } from '#web/api/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { notify } from '#web/ui/toast.tsx'
import { CurrentPassword } from './current-password.tsx'
import type { PanelOfPersonProps } from './profile-panel.tsx'

/** Changes the password, or sets a first one. */
export function PasswordPanel({ realm, profile }: PanelOfPersonProps) {
  const queryClient = useQueryClient()
  const [changes, setChanges] = useState(0)
  const { formProps, pending } = useForm({
    schema: changePassword,
    submit: body => changeOwnPassword(realm, body),
    onDone: () => {
      notify('Password changed', 'All other sessions have ended.')
      setChanges(count => count + 1)
      void queryClient.invalidateQueries({ queryKey: sessionsKey(realm) })
      void queryClient.invalidateQueries({ queryKey: profileQuery(realm).queryKey })
    },
    messages: {
      current_password: 'Give your current password.',
      new_password: 'Choose a password of at least 10 characters.',
    },
  })
  return (
    <Panel title="Password">
      {/* A new form after each change: nothing of the old one stays in it. */}
      <Form key={changes} {...formProps}>
        {/* Password managers ask whose password it is. */}
        <input type="hidden" name="username" autoComplete="username" value={profile.email} readOnly />
        <CurrentPassword profile={profile} />
        <TextField
          name="new_password"
          label="New password"
          type="password"
          autoComplete="new-password"
          description="At least 10 characters. All other sessions end."
          required
        />
        <Button type="submit" pending={pending} className="self-start">
          {profile.has_password ? 'Change password' : 'Set password'}
        </Button>
      </Form>
    </Panel>
  )
}
