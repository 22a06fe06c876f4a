import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { RequestDetail } from '#contract/usage.ts'
import type { Key } from '#web/api/client/keys.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { formatDuration } from '#web/ui/numbers.ts'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { ENDPOINT_LABELS } from '#web/usage/model-words.ts'

export type RequestFactsProps = {
  readonly request: RequestDetail
  /** The key that it was made with, if it is one of the reader's own. */
  readonly apiKey: Key | undefined
}

/** What was asked, by whom, and how it went. */
export function RequestFacts({ request, apiKey }: RequestFactsProps) {
  const { model, endpoint, stream, error, route } = request
  return (
    <dl className="flex flex-col gap-3 text-sm">
      <Fact name="Time">
        <DateTime value={request.created_at} show="second" />
      </Fact>
      <Fact name="Model">{model === null ? '–' : <ModelLink id={model} />}</Fact>
      <Fact name="Route">
        {ENDPOINT_LABELS[endpoint]}
        {stream && ', streamed'}
      </Fact>
      <Fact name="Key">
        <Link to="/usage" search={{ key: request.key_id }} className={textLinkClasses}>
          {apiKey?.name ?? request.key_id}
        </Link>
      </Fact>
      <Fact name="Answer">
        {`HTTP ${request.http_status}`}
        {error !== null && <span className="block text-muted">{errorText(error)}</span>}
      </Fact>
      <Fact name="Latency">{formatDuration(request.latency_ms)}</Fact>
      {stream && <Fact name="First token">{formatDuration(request.time_to_first_token_ms)}</Fact>}
      {route !== null && <Fact name="Upstream">{`${route.provider}, ${route.upstream_model}`}</Fact>}
      {request.client_request_id !== null && <Fact name="Your id">{request.client_request_id}</Fact>}
    </dl>
  )
}

function ModelLink({ id }: { readonly id: string }) {
  return (
    <Link to="/models/$" params={{ _splat: id }} className={textLinkClasses}>
      {id}
    </Link>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex justify-between gap-6">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="figures min-w-0 text-right wrap-anywhere">{children}</dd>
    </div>
  )
}

function errorText({ type, code }: NonNullable<RequestDetail['error']>): string {
  return code === null || code === type ? type : `${type}, ${code}`
}
