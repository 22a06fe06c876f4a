import type { LinkProps } from '@tanstack/react-router'
import type { Overview } from '#contract/overview.ts'
import type { IllProvider } from '#contract/provider-health.ts'
import type { RestingRoute } from '#contract/resting-routes.ts'
import type { UsageFigures } from '#contract/usage-report.ts'
import { formatCount, formatShare } from '#web/ui/numbers.ts'

/** Something that an operator should look at. */
export type Concern = {
  readonly tone: 'bad' | 'warn'
  readonly title: string
  readonly says: string
  /** Where to look at it. */
  readonly to?: LinkProps['to']
  /** The provider whose page that is. */
  readonly providerId?: string
}

/** From so many requests on, a share of failures is worth a word. */
const ENOUGH_REQUESTS = 20
const MANY_FAILURES = 0.05

const REASONS: Readonly<Record<RestingRoute['reason'], string>> = {
  throttled: 'is throttled',
  refused: 'refuses the credential',
  failing: 'keeps failing',
}

const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

/** What needs attention, the worst first. */
export function concernsOf(overview: Overview, totals: UsageFigures): Concern[] {
  return [
    ...storeConcerns(overview),
    ...nodeConcerns(overview),
    ...illConcerns(overview),
    ...routeConcerns(overview),
    ...failureConcerns(totals),
    ...customerConcerns(overview),
  ].toSorted((a, b) => Number(b.tone === 'bad') - Number(a.tone === 'bad'))
}

function storeConcerns({ stores }: Overview): Concern[] {
  const concerns: Concern[] = []
  if (stores.database === 'down')
    concerns.push({
      tone: 'bad',
      title: 'The database does not answer',
      says: 'New requests are refused until it does. What was in flight is settled from a journal.',
    })
  if (stores.redis === 'down')
    concerns.push({
      tone: 'bad',
      title: 'Redis does not answer',
      says: 'Each node decides about limits by what it has let in itself.',
    })
  return concerns
}

const GONE_IS_NEWS_MS = 3_600_000

function nodeConcerns({ nodes }: Overview): Concern[] {
  const concerns = nodes
    .filter(({ state, last_seen_at: seen }) => state === 'vanished' && isNews(seen))
    .map(
      ({ name, last_seen_at: seen }): Concern => ({
        tone: 'bad',
        title: `The node ${name} is gone`,
        says: `It was heard of last at ${TIME.format(new Date(seen))}, and did not say that it ends.`,
      }),
    )
  const versions = new Set(nodes.filter(({ state }) => state === 'serving').map(({ version }) => version))
  if (versions.size > 1)
    concerns.push({
      tone: 'warn',
      title: 'Nodes of different versions serve',
      says: `These are ${[...versions].toSorted().join(' and ')}.`,
    })
  return concerns
}

function isNews(seen: string): boolean {
  return Date.now() - Date.parse(seen) < GONE_IS_NEWS_MS
}

const FAILURES: Readonly<Record<keyof IllProvider['failures'], string>> = {
  throttled: 'were throttled',
  timed_out: 'were too slow',
  unreachable: 'found no connection',
  credential_refused: 'had the credential refused',
  failed: 'were answered with an error',
  broke_off: 'broke off',
}

/** The last ten minutes, in words: how many failed, and how most of them did. */
function illConcerns({ ill_providers: ill }: Overview): Concern[] {
  return ill.map(({ provider_id, name, attempts, failures }): Concern => {
    const kinds = Object.entries(failures).toSorted(([, a], [, b]) => b - a)
    const failed = kinds.reduce((sum, [, count]) => sum + count, 0)
    // The reply's own kinds.
    const worst = kinds[0]?.[0] as keyof IllProvider['failures'] | undefined
    return {
      tone: failed * 2 >= attempts ? 'bad' : 'warn',
      title: `${name} is ill`,
      says: `Of its last ${formatCount(attempts)} attempts ${formatCount(failed)} failed; most ${worst ? FAILURES[worst] : 'failed'}.`,
      to: '/providers/$providerId',
      providerId: provider_id,
    }
  })
}

function routeConcerns({ resting_routes: resting, models_without_route: lost }: Overview): Concern[] {
  const concerns = resting.map(({ model, provider, provider_id, credential, reason, until }): Concern => {
    const name = credential === null ? provider : `${provider} (${credential})`
    return {
      tone: reason === 'throttled' ? 'warn' : 'bad',
      title: `${name} ${REASONS[reason]}`,
      says: `It is not asked for ${model}, and is tried again at ${TIME.format(new Date(until))}.`,
      to: '/providers/$providerId',
      providerId: provider_id,
    }
  })
  if (lost.length > 0)
    concerns.push({
      tone: 'bad',
      title: 'Models without a route',
      says: `Nobody can be asked for ${lost.join(', ')}.`,
      to: '/models',
    })
  return concerns
}

function failureConcerns({ requests, failures }: UsageFigures): Concern[] {
  const failed = failures.upstream + failures.timeout + failures.service
  if (requests < ENOUGH_REQUESTS || failed / requests < MANY_FAILURES) return []
  return [
    {
      tone: 'bad',
      title: `${formatShare(failed, requests)} of the requests failed`,
      says: 'Upstream, by being too slow, or on our side: see the failures by kind below.',
    },
  ]
}

function customerConcerns({ exhausted_accounts: exhausted, waiting_orders: waiting }: Overview): Concern[] {
  const concerns: Concern[] = []
  if (waiting > 0)
    concerns.push({
      tone: 'warn',
      title:
        waiting === 1 ? 'An order waits for its payment' : `${formatCount(waiting)} orders wait for payment`,
      says: 'An invoice is marked as paid once the money is there.',
      to: '/orders',
    })
  if (exhausted > 0)
    concerns.push({
      tone: 'warn',
      title:
        exhausted === 1
          ? 'An account has used up its credits'
          : `${formatCount(exhausted)} accounts have used up their credits`,
      says: 'Requests are refused until more are bought or granted.',
      to: '/accounts',
    })
  return concerns
}
