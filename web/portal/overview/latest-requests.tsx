import { Link } from '@tanstack/react-router'
import type { Key } from '#web/api/client/keys.ts'
import type { RequestRecord } from '#web/api/client/requests.ts'
import { buttonClasses } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { RequestTable } from '../requests/request-table.tsx'

export type LatestRequestsProps = {
  readonly requests: readonly RequestRecord[]
  readonly keys: readonly Key[]
}

export function LatestRequests({ requests, keys }: LatestRequestsProps) {
  return (
    <Panel
      title="Latest requests"
      action={
        <Link to="/requests" className={buttonClasses({ size: 'small' })}>
          All requests
        </Link>
      }
    >
      {requests.length === 0 ? (
        <p className="text-sm text-muted">None of late: older ones are no longer kept one by one.</p>
      ) : (
        <RequestTable requests={requests} keys={keys} />
      )}
    </Panel>
  )
}
