import { cva, type VariantProps } from 'class-variance-authority'
import type { ReactNode } from 'react'

const noticeClasses = cva('rounded-md border px-4 py-3 text-sm', {
  variants: {
    tone: {
      plain: 'border-line bg-sunken text-ink',
      gold: 'border-gold/40 bg-gold-soft text-ink',
      good: 'border-good/40 bg-good-soft text-ink',
      warn: 'border-warn/40 bg-warn-soft text-ink',
      bad: 'border-bad/40 bg-bad-soft text-ink',
    },
  },
  defaultVariants: { tone: 'plain' },
})

export type NoticeProps = VariantProps<typeof noticeClasses> & {
  readonly title?: ReactNode
  readonly children: ReactNode
}

/** Something worth knowing, in the place that it is about. */
export function Notice({ tone, title, children }: NoticeProps) {
  return (
    <div className={noticeClasses({ tone })}>
      {title !== undefined && <p className="mb-1 font-semibold">{title}</p>}
      {children}
    </div>
  )
}
