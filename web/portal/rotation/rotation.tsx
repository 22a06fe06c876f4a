import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { allKeysQuery, type CreatedKey, KEYS, type Key, liveUseQuery } from '#web/api/client/keys.ts'
import { pollEvery } from '#web/api/poll.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Step, Steps } from '#web/ui/steps.tsx'
import { NewKeyForm } from '../keys/new-key-form.tsx'
import { NewKeyToken } from '../keys/new-key-token.tsx'
import { RevokeKeyDialog } from '../keys/revoke-key-dialog.tsx'
import { adviseRotation } from './advise-rotation.ts'
import { Traffic } from './traffic.tsx'

export type RotationProps = {
  readonly old: Key
  /** The key that takes its place, once there is one. */
  readonly next: Key | undefined
  readonly onIssued: (key: CreatedKey) => void
}

/** Issue, watch, revoke. */
export function Rotation({ old, next, onIssued }: RotationProps) {
  const [issued, setIssued] = useState<CreatedKey | null>(null)
  const [revoking, setRevoking] = useState(false)
  const queryClient = useQueryClient()
  // When a key was last used is only on its record; while both are watched, that is asked again and again too.
  useQuery({ ...allKeysQuery, staleTime: 0, refetchInterval: pollEvery(5_000), enabled: next !== undefined })
  const live = useQuery({ ...liveUseQuery, enabled: next !== undefined }).data?.data ?? []
  const advice = next && adviseRotation({ old, next, live, now: Date.now() })
  return (
    <Steps>
      <Step number={1} title="Issue the new key" isDone={next !== undefined}>
        {!next && (
          <NewKeyForm
            firstName={`${old.name} (new)`}
            onCreated={key => {
              setIssued(key)
              void queryClient.invalidateQueries({ queryKey: KEYS }).then(() => onIssued(key))
            }}
          />
        )}
        {next && issued?.id === next.id && <NewKeyToken token={issued.token} />}
        {next && hasLess(next, old) && (
          <Notice tone="warn">
            {next.name} has lower limits than {old.name}. Ask the operator to raise them before you deploy it.
          </Notice>
        )}
      </Step>
      <Step number={2} title="Deploy it, and watch the traffic move" isDone={advice?.isSafe ?? false}>
        {next && advice ? (
          <>
            <Traffic old={old} next={next} live={live} />
            <p role="status" className="mt-4 text-sm">
              {advice.text}
            </p>
          </>
        ) : (
          <p className="text-sm text-muted">Both keys are shown here side by side.</p>
        )}
      </Step>
      <Step number={3} title={`Revoke ${old.name}`} isDone={false}>
        <p className="mb-3 text-sm text-muted">From then on it is refused. This can not be undone.</p>
        <Button look={advice?.isSafe ? 'danger' : 'plain'} disabled={!next} onClick={() => setRevoking(true)}>
          Revoke the old key
        </Button>
      </Step>
      <RevokeKeyDialog
        apiKey={revoking ? old : null}
        warning={advice?.isSafe ? undefined : advice?.text}
        onClose={() => setRevoking(false)}
      />
    </Steps>
  )
}

function hasLess({ limits: next }: Key, { limits: old }: Key): boolean {
  const rate = ({ requests, window_seconds: seconds }: Key['limits']) => requests / seconds
  return next.concurrency < old.concurrency || rate(next) < rate(old)
}
