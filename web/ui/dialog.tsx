import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { buttonClasses } from './button.tsx'
import { backdropClasses, panelClasses } from './dialog-classes.ts'

export type DialogProps = {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: ReactNode
  readonly description?: ReactNode
  readonly children: ReactNode
  /** Whether a press beside the dialog leaves it open, for what would be lost by it. */
  readonly keepsOpen?: boolean
}

const FIELD =
  ':is(input, select, textarea, [role="combobox"]):not([type="hidden"], [aria-hidden="true"], [tabindex="-1"], :disabled)'

/**
 * A task that stands before the page: it holds the focus, and gives it back to where it came from. The first field has it
 * at once, so that what is typed goes there; not after a touch, which would bring the keyboard up over the dialog.
 */
export function Dialog({ open, onOpenChange, title, description, children, keepsOpen = false }: DialogProps) {
  const content = useRef<HTMLDivElement>(null)
  return (
    <BaseDialog.Root open={open} onOpenChange={onOpenChange} disablePointerDismissal={keepsOpen}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={backdropClasses} />
        <BaseDialog.Popup
          className={panelClasses}
          initialFocus={openedBy =>
            openedBy === 'touch' || (content.current?.querySelector<HTMLElement>(FIELD) ?? true)
          }
        >
          <div className="flex items-start justify-between gap-4">
            <BaseDialog.Title className="text-lg font-semibold">{title}</BaseDialog.Title>
            <BaseDialog.Close
              aria-label="Close"
              className={buttonClasses({ look: 'quiet', size: 'small-icon', className: '-mt-1 -mr-2' })}
            >
              <X className="size-4" aria-hidden="true" />
            </BaseDialog.Close>
          </div>
          {description !== undefined && (
            <BaseDialog.Description className="mt-1 text-sm text-muted">{description}</BaseDialog.Description>
          )}
          <div ref={content} className="mt-5">
            {children}
          </div>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
