import type { Overview } from '#contract/overview.ts'
import type { UsageFigures } from '#contract/usage-report.ts'
import { Badge } from '#web/ui/badge.tsx'
import { formatCredits } from '#web/ui/credits.ts'
import { formatMoney } from '#web/ui/money.ts'
import { formatCount, formatShare } from '#web/ui/numbers.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Stat } from '#web/ui/stat.tsx'
import { formatUsd } from './format-usd.ts'

const FIGURES = 'grid grid-cols-2 gap-5'

/** What runs now, and what it stands on. */
export function NowPanel({ overview: { in_flight, nodes, stores } }: { readonly overview: Overview }) {
  const serving = nodes.filter(({ state }) => state === 'serving' || state === 'draining').length
  return (
    <Panel title="Now">
      <dl className={FIGURES}>
        <Stat
          label="Requests in flight"
          note={serving === 1 ? 'on one node' : `on ${formatCount(serving)} nodes`}
        >
          {formatCount(in_flight)}
        </Stat>
        <Stat label="Database">
          <StoreState state={stores.database} />
        </Stat>
        <Stat label="Redis">
          {stores.redis === null ? <Badge>Not used</Badge> : <StoreState state={stores.redis} />}
        </Stat>
      </dl>
    </Panel>
  )
}

function StoreState({ state }: { readonly state: 'ok' | 'down' }) {
  return state === 'ok' ? <Badge tone="good">Answers</Badge> : <Badge tone="bad">Down</Badge>
}

/** What was sold, what requests earned, and what they cost. */
export function MoneyPanel({ overview: { sold, earned, upstream_cost } }: { readonly overview: Overview }) {
  const { priced_requests: priced, unpriced_requests: unpriced } = upstream_cost
  const share = unpriced === 0 ? 'all' : formatShare(priced, priced + unpriced)
  return (
    <Panel title="Money">
      <dl className={FIGURES}>
        <Stat label="Credits sold" note={soldNote(sold)}>
          {formatCredits(sold.credits)}
        </Stat>
        <Stat label="Credits earned" note={`worth ${formatUsd(earned.usd)}`}>
          {formatCredits(earned.credits)}
        </Stat>
        <Stat
          label="Cost upstream"
          note={priced === 0 ? 'no list price is known' : `at list prices, of ${share} of the requests`}
        >
          {priced === 0 ? '–' : formatUsd(upstream_cost.usd)}
        </Stat>
      </dl>
    </Panel>
  )
}

function soldNote({ orders, money }: Overview['sold']): string {
  if (orders === 0) return 'no orders'
  const sums = money.map(({ amount, currency }) => formatMoney(amount, currency)).join(' and ')
  return `${orders === 1 ? '1 order' : `${formatCount(orders)} orders`}, ${sums}`
}

const KINDS: readonly (readonly [key: keyof UsageFigures['failures'], label: string, note: string])[] = [
  ['upstream', 'Upstream failed', 'its answer was an error or none'],
  ['timeout', 'Too slow', 'the upstream took too long'],
  ['throttled', 'Throttled', 'the upstream took no more'],
  ['service', 'On our side', 'or no route was usable'],
  ['invalid', 'Invalid', 'refused for what was asked'],
]

/** Failed requests by their cause. */
export function FailuresPanel({ totals: { failures } }: { readonly totals: UsageFigures }) {
  return (
    <Panel title="Failures by kind">
      <dl className={FIGURES}>
        {KINDS.map(([key, label, note]) => (
          <Stat key={key} label={label} note={note}>
            {formatCount(failures[key])}
          </Stat>
        ))}
      </dl>
    </Panel>
  )
}
