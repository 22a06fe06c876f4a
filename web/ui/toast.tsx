import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClasses } from './button.tsx'
import { classNames } from './class-names.ts'

const manager = Toast.createToastManager()

/** Says that something was done, for a few seconds, to the eye and to a screen reader. */
export function notify(title: string, description?: string): void {
  manager.add({ title, description })
}

/** Something failed that no place on the page can tell of: it interrupts a screen reader. */
export function notifyFailure(title: string, description?: string): void {
  manager.add({ title, description, type: 'failure', priority: 'high', timeout: 10_000 })
}

/** Stands once around an application; messages appear in its corner. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} timeout={5_000} limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport
          className={classNames(
            'fixed top-16 right-4 z-60 sm:top-auto sm:bottom-4 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-3',
          )}
        >
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map(toast => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={classNames(
        'rounded-lg border bg-surface p-4 text-ink shadow-float transition-opacity duration-200',
        'data-starting-style:opacity-0 data-ending-style:opacity-0 data-limited:hidden',
        toast.type === 'failure' ? 'border-bad' : 'border-line',
      )}
    >
      <Toast.Content className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <Toast.Title className="text-sm font-semibold" />
          <Toast.Description className="text-sm text-muted" />
        </div>
        <Toast.Close
          aria-label="Dismiss"
          className={buttonClasses({ look: 'quiet', size: 'small-icon', className: '-m-1.5' })}
        >
          <X className="size-4" aria-hidden="true" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
