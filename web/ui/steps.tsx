import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** What is done one after the other. Holds `Step`s. */
export function Steps({ children }: { readonly children: ReactNode }) {
  return <ol className="flex flex-col">{children}</ol>
}

export type StepProps = {
  readonly number: number
  readonly title: ReactNode
  readonly isDone: boolean
  readonly children?: ReactNode
}

/** One step, ticked off when it is done. */
export function Step({ number, title, isDone, children }: StepProps) {
  return (
    <li className="group flex gap-4">
      <div className="flex flex-col items-center">
        <span
          className={classNames(
            'figures flex size-8 shrink-0 items-center justify-center rounded-full border text-sm font-semibold',
            isDone ? 'border-good bg-good-soft text-good' : 'border-field-line bg-surface text-ink',
          )}
        >
          {isDone ? (
            <Check className="size-4" role="img" aria-label={`Step ${number}, done`} />
          ) : (
            <span>
              <span className="sr-only">Step </span>
              {number}
            </span>
          )}
        </span>
        <span className="my-1 w-px flex-1 bg-line group-last:hidden" aria-hidden="true" />
      </div>
      <div className="min-w-0 flex-1 pb-8 group-last:pb-0">
        <h2 className="mb-2 pt-1 font-semibold">{title}</h2>
        {children}
      </div>
    </li>
  )
}
