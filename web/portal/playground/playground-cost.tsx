import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery } from '#web/api/client/session.ts'
import { formatCredits, formatMicros, toMicros } from '#web/ui/credits.ts'
import { formatCount } from '#web/ui/numbers.ts'
import { Panel } from '#web/ui/panel.tsx'
import { type Conversation, costOf } from './conversation.ts'

export type PlaygroundCostProps = { readonly conversation: Conversation; readonly children: ReactNode }

/** What the conversation came to so far, and what the account has left. */
export function PlaygroundCost({ conversation, children }: PlaygroundCostProps) {
  const { data: me } = useQuery(meQuery)
  const { tokens, credits } = costOf(conversation)
  const micros = credits.reduce((sum, amount) => sum + toMicros(amount), 0n)
  return (
    <Panel>
      <dl className="figures grid grid-cols-[1fr_auto] gap-y-2 text-sm">
        <dt className="text-muted">Tokens</dt>
        <dd className="text-right">{formatCount(tokens)}</dd>
        <dt className="text-muted">Credits</dt>
        <dd className="text-right">{formatMicros(micros)}</dd>
        <dt className="border-t border-line pt-2 text-muted">Left on your account</dt>
        <dd className="border-t border-line pt-2 text-right">
          {me ? formatCredits(me.account.remaining) : '–'}
        </dd>
      </dl>
      <div className="mt-4 flex flex-col gap-2">{children}</div>
    </Panel>
  )
}
