import { useBrand } from './brand.ts'

/** The mark: a square weight with the spiral that the Akan cast into theirs. */
export function Mark({ className }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden="true" className={className}>
      <rect x="1" y="1" width="22" height="22" rx="4" className="fill-gold-fill" />
      <path
        d="M5.5 18.5v-13h13v13h-9v-9h5v5"
        className="stroke-on-gold"
        strokeWidth="2"
        strokeLinecap="square"
      />
    </svg>
  )
}

/** The service's own picture or the mark, with its name, and which application it is where that has to be said. */
export function Logo({ application }: { readonly application?: string }) {
  const { name, logo } = useBrand()
  return (
    <span className="flex min-w-0 items-center gap-2.5 text-lg font-semibold tracking-tight">
      {logo === null ? (
        <Mark className="size-7 shrink-0" />
      ) : (
        <img src={logo} alt="" className="h-7 w-auto max-w-24 shrink-0 object-contain" />
      )}
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
        <span className="line-clamp-2 min-w-0 leading-tight wrap-anywhere">{name}</span>
        {application !== undefined && (
          <span className="text-sm font-medium tracking-normal text-muted">{application}</span>
        )}
      </span>
    </span>
  )
}
