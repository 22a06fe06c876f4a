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

/** The mark with the name, and which application it is where that has to be said. */
export function Logo({ application }: { readonly application?: string }) {
  return (
    <span className="flex items-center gap-2.5 text-lg font-semibold tracking-tight">
      <Mark className="size-7" />
      Goldweight
      {application !== undefined && (
        <span className="text-sm font-medium tracking-normal text-muted">{application}</span>
      )}
    </span>
  )
}
