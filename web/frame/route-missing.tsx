import { Link } from '@tanstack/react-router'
import { buttonClasses } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** An address that leads nowhere. */
export function RouteMissing() {
  return (
    <main className="mx-auto max-w-2xl px-4 py-10">
      <EmptyState
        title="There is no such page"
        isPage
        action={
          <Link to="/" className={buttonClasses({ look: 'primary' })}>
            To the overview
          </Link>
        }
      >
        The address may be mistyped, or what it was about is gone.
      </EmptyState>
    </main>
  )
}
