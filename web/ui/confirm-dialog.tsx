import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { backdropClasses, panelClasses } from './dialog-classes.ts'
import { Notice } from './notice.tsx'

export type ConfirmDialogProps = {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: ReactNode
  readonly children: ReactNode
  /** What will be done, as a verb: 'Revoke key'. */
  readonly confirmLabel: string
  readonly onConfirm: () => void
  readonly pending?: boolean
  /** Why it could not be done. */
  readonly failure?: ReactNode
}

/** Asks before something that can't be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onOpenChange, title, children, confirmLabel, onConfirm, pending, failure } = props
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdropClasses} />
        <AlertDialog.Popup className={panelClasses}>
          <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className="mt-2 text-sm text-muted">
            {children}
          </AlertDialog.Description>
          <div role="alert" className="mt-4 empty:hidden">
            {failure ? <Notice tone="bad">{failure}</Notice> : null}
          </div>
          <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
            <AlertDialog.Close render={<Button>Cancel</Button>} />
            <Button look="danger" pending={pending} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
