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
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
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
  const rows = sessions.data?.data ?? []
  const others = rows.some(session => !session.current)
  return (
    <Panel title="Sessions" action={others && <EndOthers realm={realm} />}>
      {sessions.isPending && <SkeletonRows rows={2} label="Loading sessions" />}
      {sessions.isError && (
        <ErrorState
          title="Your sessions could not be loaded"
          requestId={sessions.error.requestId}
          onRetry={() => void sessions.refetch()}
          retrying={sessions.isFetching}
        >
          {sessions.error.message}
        </ErrorState>
      )}
      {sessions.data && <Sessions realm={realm} rows={rows} />}
      {sessions.data && (
        <Pagination
          label="Pages of sessions"
          hasNewer={pages.hasNewer}
          hasOlder={sessions.data.next_cursor !== null}
          onNewer={pages.newer}
          onOlder={() => sessions.data?.next_cursor && pages.older(sessions.data.next_cursor)}
          pending={sessions.isFetching}
        />
      )}
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
  const end = useMutation({
    mutationFn: () => endOtherSessions(realm),
    onSuccess: async () => {
      setAsking(false)
      notify('All other sessions have ended')
      await queryClient.invalidateQueries({ queryKey: sessionsKey(realm) })
    },
  })
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        End all others
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="End all other sessions?"
        confirmLabel="End sessions"
        onConfirm={() => end.mutate()}
        pending={end.isPending}
        failure={end.error?.message}
      >
        <p>Every browser but this one has to sign in again.</p>
      </ConfirmDialog>
    </>
  )
}
