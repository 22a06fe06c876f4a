import type { ReactNode } from 'react'
import { useWindowTitle } from './brand.ts'
import { Logo } from './logo.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

export type DoorLayoutProps = {
  readonly title: string
  readonly children: ReactNode
  /** Which application it is, where there are several: 'Console'. */
  readonly application?: string
  /** The other door: 'No account yet? Sign up'. */
  readonly foot?: ReactNode
}

/** The frame of the pages before one is signed in. */
export function DoorLayout({ title, children, application, foot }: DoorLayoutProps) {
  const windowTitle = useWindowTitle(title)
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{windowTitle}</title>
      <header className="flex items-center justify-between px-4 py-4 sm:px-8">
        <Logo application={application} />
        <ThemeSwitch />
      </header>
      <main className="mx-auto flex w-full max-w-md flex-1 flex-col justify-center px-4 pb-24">
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        <div className="mt-6 rounded-xl border border-line bg-surface p-6">{children}</div>
        {foot !== undefined && <p className="mt-6 text-center text-sm text-muted">{foot}</p>}
      </main>
    </div>
  )
}
