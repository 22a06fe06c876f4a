import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { Notice } from '#web/ui/notice.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import type { Concern } from './attention.ts'

/** What needs attention, or that nothing does. */
export function AttentionList({ concerns }: { readonly concerns: readonly Concern[] }) {
  if (concerns.length === 0) {
    return (
      <p className="flex items-center gap-2 text-sm font-medium text-good">
        <CircleCheck className="size-5 shrink-0" aria-hidden="true" />
        All is well: nothing needs your attention.
      </p>
    )
  }
  return (
    <ul aria-label="What needs attention" className="flex flex-col gap-3">
      {concerns.map(({ tone, title, says, to, providerId }) => (
        <li key={`${title} ${says}`}>
          <Notice tone={tone} title={title}>
            {says}{' '}
            {to !== undefined && (
              <Link to={to} params={{ providerId }} className={textLinkClasses}>
                Look there<span className="sr-only">: {title}</span>
              </Link>
            )}
          </Notice>
        </li>
      ))}
    </ul>
  )
}
