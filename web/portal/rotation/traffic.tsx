import type { Key, LiveUse } from '#web/api/client/keys.ts'
import { KeyName } from '#web/keys/key-name.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { LimitMeter } from '#web/ui/limit-meter.tsx'

export type TrafficProps = { readonly old: Key; readonly next: Key; readonly live: readonly LiveUse[] }

/** What runs on both keys, side by side. */
export function Traffic({ old, next, live }: TrafficProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <KeyTraffic label="Old" apiKey={old} use={live.find(({ key_id }) => key_id === old.id)} />
      <KeyTraffic label="New" apiKey={next} use={live.find(({ key_id }) => key_id === next.id)} />
    </div>
  )
}

type KeyTrafficProps = { readonly label: string; readonly apiKey: Key; readonly use: LiveUse | undefined }

function KeyTraffic({ label, apiKey, use }: KeyTrafficProps) {
  const { limits, last_used_at: lastUsedAt } = apiKey
  return (
    <section aria-label={`${label} key`} className="rounded-lg border border-line p-4 text-sm">
      <p className="mb-1 text-xs font-medium text-muted">{label}</p>
      <KeyName apiKey={apiKey} />
      <dl className="mt-3 grid grid-cols-[auto_1fr] items-start gap-x-4 gap-y-2">
        <dt className="text-muted">In flight</dt>
        <dd>
          <LimitMeter used={use?.in_flight ?? 0} limit={limits.concurrency} />
        </dd>
        <dt className="text-muted">Requests</dt>
        <dd>
          <LimitMeter
            used={use?.requests ?? 0}
            limit={limits.requests}
            note={`in ${limits.window_seconds} s`}
          />
        </dd>
        <dt className="text-muted">Last used</dt>
        <dd>{lastUsedAt === null ? 'Never' : <DateTime value={lastUsedAt} />}</dd>
      </dl>
    </section>
  )
}
