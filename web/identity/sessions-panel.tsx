import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  endOtherSessions,
  endSession,
  type Realm,
  type Session,
  sessionsKey,
  sessionsQuery,
} from '#web/api/identity.ts'
import { useConfirm } from '#web/api/use-confirm.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { notify, notifyFailure } from '#web/ui/toast.tsx'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { SessionTable } from './session-table.tsx'

/** Where somebody is signed in, and the ends of it. */
export function SessionsPanel({ realm }: { readonly realm: Realm }) {
  const pages = useCursorPages()
  const sessions = useQuery({
    ...sessionsQuery(realm, { cursor: pages.cursor }),
    placeholderData: keepPreviousData,
  })
  const others = sessions.data?.data.some(session => !session.current)
  return (
    <Panel title="Sessions" action={others && <EndOthers realm={realm} />}>
      <ListPage
        what="sessions"
        query={sessions}
        pages={pages}
        failureTitle="Your sessions could not be loaded"
        skeletonRows={2}
        empty={null}
      >
        {rows => <Sessions realm={realm} rows={rows} />}
      </ListPage>
    </Panel>
  )
}

function Sessions({ realm, rows }: { readonly realm: Realm; readonly rows: readonly Session[] }) {
  const queryClient = useQueryClient()
  const end = useMutation({
    mutationFn: (session: Session) => endSession(realm, session.id),
    onSuccess: () => notify('Session ended'),
    onError: error => notifyFailure('The session was not ended', error.message),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsKey(realm) }),
  })
  return <SessionTable sessions={rows} onEnd={session => end.mutate(session)} />
}

function EndOthers({ realm }: { readonly realm: Realm }) {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const end = useConfirm({
    subject: asking ? realm : null,
    act: endOtherSessions,
    onDone: async () => {
      setAsking(false)
      notify('All other sessions have ended')
      await queryClient.invalidateQueries({ queryKey: sessionsKey(realm) })
    },
    onClose: () => setAsking(false),
  })
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        End all others
      </Button>
      <ConfirmDialog {...end} title="End all other sessions?" confirmLabel="End sessions">
        <p>Every browser but this one has to sign in again.</p>
      </ConfirmDialog>
    </>
  )
}
