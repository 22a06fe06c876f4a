import type { ProviderVerdict } from '#contract/provider-models.ts'
import type { ProviderTest } from '#web/api/admin/providers.ts'
import { Notice } from '#web/ui/notice.tsx'

const TITLES: Readonly<Record<ProviderVerdict, string>> = {
  ok: 'The connection works',
  unreachable: 'The provider can not be reached',
  timed_out: 'The provider is too slow',
  credential_refused: 'The provider refuses the credential',
  not_found: 'There is nothing at this address',
  throttled: 'The provider takes no more requests at the moment',
  failed: 'The provider failed',
  unexpected_answer: 'The answer is not that of such a provider',
  unreadable_credential: 'The stored credential can not be read',
}

/** What came of trying a provider: in one line, and in its own words. */
export function Verdict({
  test,
}: {
  readonly test: Pick<ProviderTest, 'ok' | 'verdict' | 'message' | 'latency_ms'>
}) {
  return (
    <Notice tone={test.ok ? 'good' : 'bad'} title={TITLES[test.verdict]}>
      <p className="break-words">{test.message}</p>
      {test.latency_ms > 0 && <p className="mt-1 text-muted">After {test.latency_ms} ms.</p>}
    </Notice>
  )
}
