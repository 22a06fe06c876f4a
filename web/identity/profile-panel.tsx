import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { patchProfile } from '#contract/sessions.ts'
import { configQuery, type Profile, profileQuery, type Realm, rename } from '#web/api/identity.ts'
import { useForm } from '#web/api/use-form.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { notify } from '#web/ui/toast.tsx'
import { ChangeEmailDialog } from './change-email-dialog.tsx'
import { ResendVerification } from './resend-verification.tsx'

export type PanelOfPersonProps = { readonly realm: Realm; readonly profile: Profile }

export type ProfilePanelProps = PanelOfPersonProps & {
  /** What else shows of the person has to be fetched again. */
  readonly onChanged: () => void
}

/** Name and e-mail address. */
export function ProfilePanel({ realm, profile, onChanged }: ProfilePanelProps) {
  const queryClient = useQueryClient()
  const { data: config } = useQuery(configQuery(realm))
  const [changingEmail, setChangingEmail] = useState(false)
  const showChanged = () => {
    void queryClient.invalidateQueries({ queryKey: profileQuery(realm).queryKey })
    onChanged()
  }
  const { formProps, pending } = useForm({
    schema: patchProfile,
    submit: body => rename(realm, body),
    onDone: () => {
      notify('Name saved')
      showChanged()
    },
    messages: { name: 'Give a name of up to 200 characters.' },
  })
  return (
    <Panel title="Profile">
      <div className="flex flex-col gap-6">
        <Form {...formProps}>
          <TextField
            key={profile.name}
            name="name"
            label="Name"
            autoComplete="name"
            defaultValue={profile.name}
            required
            action={
              <Button type="submit" pending={pending}>
                Save
              </Button>
            }
          />
        </Form>
        <div className="flex flex-col gap-1.5">
          <h3 className="text-sm font-medium">E-mail address</h3>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <span className="min-w-0 wrap-anywhere">{profile.email}</span>
            {config?.mail && (
              <Badge tone={profile.email_verified ? 'good' : 'warn'}>
                {profile.email_verified ? 'Confirmed' : 'Not confirmed'}
              </Badge>
            )}
            <span className="flex flex-wrap gap-2 sm:ml-auto">
              {config?.mail && !profile.email_verified && <ResendVerification realm={realm} />}
              <Button size="small" onClick={() => setChangingEmail(true)}>
                Change address
              </Button>
            </span>
          </div>
        </div>
      </div>
      <ChangeEmailDialog
        realm={realm}
        profile={profile}
        open={changingEmail}
        onOpenChange={setChangingEmail}
        onChanged={showChanged}
      />
    </Panel>
  )
}
