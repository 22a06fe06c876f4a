import { useMutation } from '@tanstack/react-query'
import { type Provider, testProvider } from '#web/api/admin/providers.ts'
import { Button } from '#web/ui/button.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { formatDuration } from '#web/ui/numbers.ts'
import { Panel } from '#web/ui/panel.tsx'
import { ENDPOINT_LABELS } from '#web/usage/model-words.ts'
import { Facts } from '../catalog/facts.tsx'
import { ForOperators } from '../layout/permissions.tsx'
import { kindLabel } from './kind-words.ts'
import { Verdict } from './verdict.tsx'

/** How a provider is reached, and whether it answers. */
export function ConnectionPanel({ provider }: { readonly provider: Provider }) {
  const test = useMutation({ mutationFn: () => testProvider(provider.id) })
  const headers = Object.entries(provider.headers)
  const { connect_ms, first_byte_ms, idle_ms } = provider.timeouts
  return (
    <Panel
      title="Connection"
      action={
        <ForOperators>
          <Button size="small" pending={test.isPending} onClick={() => test.mutate()}>
            Test connection
          </Button>
        </ForOperators>
      }
    >
      <Facts
        facts={{
          Kind: kindLabel(provider.kind),
          'Base URL': <code className="font-mono break-all">{provider.base_url}</code>,
          Credential: provider.has_credential ? 'Stored, encrypted' : 'None',
          'Further credentials': provider.further_credentials.map(({ name }) => name).join(', ') || 'None',
          Serves:
            provider.endpoints === null
              ? 'All that its kind serves'
              : provider.endpoints.map(name => ENDPOINT_LABELS[name]).join(', '),
          Timeouts: `${formatDuration(connect_ms)} to connect, ${formatDuration(first_byte_ms)} to the first byte, ${formatDuration(idle_ms)} between two pieces`,
          'Extra headers':
            headers.length === 0 ? 'None' : headers.map(([name, value]) => `${name}: ${value}`).join(', '),
          Added: <DateTime value={provider.created_at} />,
        }}
      />
      <div role="status" className="mt-5 empty:hidden">
        {test.data && <Verdict test={test.data} />}
        {test.error && <Notice tone="bad">{test.error.message}</Notice>}
      </div>
    </Panel>
  )
}
