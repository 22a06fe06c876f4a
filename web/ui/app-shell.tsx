import { Dialog } from '@base-ui/react/dialog'
import { Menu as MenuIcon, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { buttonClasses } from './button.tsx'
import { classNames } from './class-names.ts'
import { backdropClasses } from './dialog-classes.ts'
import { Logo } from './logo.tsx'

export type AppShellProps = {
  /** The links of the navigation; `onFollow` closes the drawer that holds them on a phone. */
  readonly navigation: (onFollow: () => void) => ReactNode
  /** At the foot of the navigation: who is signed in, the theme. */
  readonly foot: ReactNode
  /** Which application it is, where there are several: 'Console'. */
  readonly application?: string
  readonly children: ReactNode
}

/** Of a link in the navigation; the one that leads to the page that is shown has `aria-current`. */
export const navigationLinkClasses = classNames(
  'flex h-10 items-center gap-3 rounded-md px-3 text-sm font-medium text-muted hover:bg-sunken hover:text-ink',
  'aria-[current=page]:bg-gold-soft aria-[current=page]:text-ink',
)

/** Navigation beside the page on a desk; behind a button on a phone. */
export function AppShell({ navigation, foot, application, children }: AppShellProps) {
  return (
    <div className="lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)]">
      <a
        href="#content"
        className={buttonClasses({
          look: 'primary',
          className: 'fixed top-2 left-2 z-60 not-focus:sr-only',
        })}
      >
        Skip to content
      </a>
      <header className="sticky top-0 hidden h-dvh flex-col border-r border-line bg-surface p-4 lg:flex">
        <div className="px-3 py-2">
          <Logo application={application} />
        </div>
        <nav
          aria-label="Main"
          className="-mx-1 mt-6 flex min-h-0 flex-1 flex-col gap-1 overflow-y-auto px-1 pb-4"
        >
          {navigation(() => {})}
        </nav>
        <div>{foot}</div>
      </header>
      <header className="sticky top-0 z-30 flex h-14 items-center justify-between border-b border-line bg-surface px-4 lg:hidden">
        <Logo application={application} />
        <Drawer navigation={navigation} foot={foot} />
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-6xl px-4 py-6 outline-none sm:px-8 sm:py-10"
      >
        {children}
      </main>
    </div>
  )
}

function Drawer({ navigation, foot }: Pick<AppShellProps, 'navigation' | 'foot'>) {
  const [open, setOpen] = useState(false)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger aria-label="Menu" className={buttonClasses({ look: 'quiet', size: 'icon' })}>
        <MenuIcon className="size-5" aria-hidden="true" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClasses} />
        <Dialog.Popup
          className={classNames(
            'fixed inset-y-0 right-0 z-50 flex w-72 max-w-[85vw] flex-col border-l border-line bg-surface p-4 text-ink outline-none',
            'transition-transform duration-200 data-starting-style:translate-x-full data-ending-style:translate-x-full',
          )}
        >
          <div className="flex items-center justify-between pl-3">
            <Dialog.Title className="font-semibold">Menu</Dialog.Title>
            <Dialog.Close aria-label="Close" className={buttonClasses({ look: 'quiet', size: 'icon' })}>
              <X className="size-5" aria-hidden="true" />
            </Dialog.Close>
          </div>
          <nav
            aria-label="Main"
            className="-mx-1 mt-4 flex min-h-0 flex-1 flex-col gap-1 overflow-y-auto px-1 pb-4"
          >
            {navigation(() => setOpen(false))}
          </nav>
          <div>{foot}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
