import { Link } from '@tanstack/react-router'
import type { Key } from '#web/api/client/keys.ts'
import type { CatalogEntry } from '#web/api/discovery.ts'
import { formatCredits, formatMicros } from '#web/ui/credits.ts'
import { Notice } from '#web/ui/notice.tsx'
import { formatCount } from '#web/ui/numbers.ts'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { type Answer, tokensOf } from './conversation.ts'
import { estimateOutput } from './estimate-output.ts'
import { explainRefusal } from './explain-refusal.ts'

export type AnswerTurnProps = {
  readonly answer: Answer
  readonly apiKey: Key | undefined
  readonly weights: CatalogEntry['weights'] | undefined
}

/** What a model says, and what that weighs: estimated while it is written, exact once it is settled. */
export function AnswerTurn({ answer, apiKey, weights }: AnswerTurnProps) {
  const { content, model, state, error } = answer
  const explanation = error && explainRefusal(error, apiKey)
  return (
    <div className="flex max-w-[95%] flex-col gap-1.5 self-start">
      <p className="text-xs text-muted">{model}</p>
      {state === 'waiting' && <p className="animate-pulse text-muted">…</p>}
      {content !== '' && <p className="break-words whitespace-pre-wrap">{content}</p>}
      {explanation && (
        <Notice tone="bad" title={explanation.title}>
          {explanation.advice}
          {explanation.needsCredits && (
            <>
              {' '}
              <Link to="/credits" className={textLinkClasses}>
                Get credits
              </Link>
            </>
          )}
        </Notice>
      )}
      <p className="figures min-h-5 text-xs text-muted">{footOf(answer, weights)}</p>
    </div>
  )
}

function footOf({ state, content, record }: Answer, weights: AnswerTurnProps['weights']): string {
  if (record && (record.status !== 'failed' || record.credits > 0)) {
    const estimated = record.usage_source === 'estimate' ? ' (estimated)' : ''
    const stopped = state === 'stopped' ? 'Stopped · ' : ''
    return `${stopped}${formatCount(tokensOf(record.usage))} tokens${estimated} · ${formatCredits(record.credits)} credits`
  }
  if (state === 'stopped') return 'Stopped'
  if (state !== 'streaming' || !weights) return ''
  const { tokens, micros } = estimateOutput(content, weights.output)
  return `about ${formatCount(tokens)} tokens so far · about ${formatMicros(micros)} credits`
}
