import { createLink } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ComponentProps } from 'react'

/** The way from a page to what it belongs to. Stands above its title. */
export const BackLink = createLink(BackAnchor)

function BackAnchor({ children, ...props }: ComponentProps<'a'>) {
  return (
    <a {...props} className="mb-4 inline-flex items-center gap-1.5 text-sm text-muted hover:text-ink">
      <ArrowLeft className="size-4" aria-hidden="true" />
      {children}
    </a>
  )
}
