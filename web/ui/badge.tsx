import { cva, type VariantProps } from 'class-variance-authority'
import type { ReactNode } from 'react'

const badgeClasses = cva(
  'inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-medium whitespace-nowrap',
  {
    variants: {
      tone: {
        plain: 'bg-sunken text-muted',
        gold: 'bg-gold-soft text-gold-strong',
        good: 'bg-good-soft text-good',
        warn: 'bg-warn-soft text-warn',
        bad: 'bg-bad-soft text-bad',
      },
    },
    defaultVariants: { tone: 'plain' },
  },
)

export type BadgeProps = VariantProps<typeof badgeClasses> & {
  readonly children: ReactNode
  /** A dot before the word, for a state that may change by itself. */
  readonly dot?: boolean
}

/** A state in one word; the colour only repeats what the word says. */
export function Badge({ tone, dot = false, children }: BadgeProps) {
  return (
    <span className={badgeClasses({ tone })}>
      {dot && <span className="size-1.5 rounded-full bg-current" aria-hidden="true" />}
      {children}
    </span>
  )
}
