import { classNames } from '#web/ui/class-names.ts'

const TONES: Readonly<Record<string, string>> = {
  GET: 'text-good',
  POST: 'text-gold',
  PUT: 'text-gold',
  PATCH: 'text-gold',
  DELETE: 'text-bad',
}

export function MethodName({ method }: { readonly method: string }) {
  return (
    <span className={classNames('shrink-0 pt-0.5 font-mono text-[0.6875rem] font-semibold', TONES[method])}>
      {method}
    </span>
  )
}
