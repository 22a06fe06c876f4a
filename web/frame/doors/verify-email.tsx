import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { profileQuery, verifyOwnEmail } from '#web/api/identity.ts'
import { forgetMailedToken, takeMailedToken } from '#web/identity/mailed-token.ts'
import { Button, buttonClasses } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import type { Application } from '../application.ts'
import { VERIFY_EMAIL } from '../own-pages.ts'

export type VerifyEmailProps = { readonly application: Application }

/** Confirms an address by the link of a mail: by a press, since some mail servers open every link that passes. */
export function VerifyEmail({ application: { realm, meKey } }: VerifyEmailProps) {
  const [token] = useState(() => takeMailedToken(VERIFY_EMAIL))
  const queryClient = useQueryClient()
  const verify = useMutation({
    mutationFn: (token: string) => verifyOwnEmail(realm, { token }),
    onSuccess: async () => {
      forgetMailedToken(VERIFY_EMAIL)
      await queryClient.invalidateQueries({ queryKey: profileQuery(realm).queryKey })
      await queryClient.invalidateQueries({ queryKey: meKey })
    },
  })
  return (
    <>
      <PageHeader title="Confirm your e-mail address" />
      <Panel className="max-w-xl">
        <div className="flex flex-col items-start gap-4">
          <div role="alert" className="empty:hidden">
            {verify.error && <Notice tone="bad">{verify.error.message}</Notice>}
          </div>
          {verify.data ? (
            <>
              <p role="status">
                <strong className="wrap-anywhere">{verify.data.email}</strong> is confirmed.
              </p>
              <Link to="/" className={buttonClasses({ look: 'primary' })}>
                To the overview
              </Link>
            </>
          ) : token === null ? (
            <p>The address of this page is not complete. Open the whole link of the mail.</p>
          ) : (
            <>
              <p>Press the button to confirm that you read the mail of this address.</p>
              <Button look="primary" pending={verify.isPending} onClick={() => verify.mutate(token)}>
                Confirm address
              </Button>
            </>
          )}
        </div>
      </Panel>
    </>
  )
}
