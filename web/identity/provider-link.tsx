import { LogIn } from 'lucide-react'
import { oidcStartUrl, type Realm } from '#web/api/identity.ts'
import { buttonClasses } from '#web/ui/button.tsx'

export type ProviderLinkProps = {
  readonly realm: Realm
  readonly name: string
  /** Where to end up, within the pages of the realm. */
  readonly from?: string
}

/** The way in through another service, below a form and divided from it. It leads away, so it is a link. */
export function ProviderLink({ realm, name, from }: ProviderLinkProps) {
  return (
    <>
      <div className="my-5 flex items-center gap-3 text-sm text-muted">
        <span className="h-px flex-1 bg-line" />
        or
        <span className="h-px flex-1 bg-line" />
      </div>
      <a href={oidcStartUrl(realm, from)} className={buttonClasses({ className: 'w-full' })}>
        <LogIn className="size-4" aria-hidden="true" />
        <span className="truncate">Continue with {name}</span>
      </a>
    </>
  )
}
