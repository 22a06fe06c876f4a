import { Menu as BaseMenu } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type MenuProps = {
  /** The button that opens it, with a name. */
  readonly trigger: ReactElement
  readonly children: ReactNode
  readonly align?: 'start' | 'center' | 'end'
}

/** What can be done with a thing. Holds `MenuItem`s. */
export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  return (
    <BaseMenu.Root modal={false}>
      <BaseMenu.Trigger render={trigger} />
      {/* Within the page's main part, so that no landmark is left by opening it. */}
      <BaseMenu.Portal container={document.getElementById('content') ?? undefined}>
        <BaseMenu.Positioner sideOffset={6} align={align} className="z-40 outline-none">
          <BaseMenu.Popup
            className={classNames(
              'min-w-44 rounded-lg border border-line bg-surface p-1 text-sm text-ink shadow-float outline-none',
              'transition-opacity duration-100 data-starting-style:opacity-0 data-ending-style:opacity-0',
            )}
          >
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

const itemClasses = classNames(
  'flex cursor-pointer items-center gap-2.5 rounded-md px-3 py-2 outline-none select-none',
  'data-highlighted:bg-sunken data-disabled:opacity-50',
)

export type MenuItemProps = {
  readonly children: ReactNode
  readonly onSelect?: () => void
  readonly tone?: 'plain' | 'danger'
  readonly disabled?: boolean
  /** A link to render instead, for what leads to another page. */
  readonly render?: ReactElement
}

export function MenuItem({ children, onSelect, tone = 'plain', disabled, render }: MenuItemProps) {
  const classes = classNames(itemClasses, tone === 'danger' && 'text-bad')
  return (
    <BaseMenu.Item className={classes} onClick={onSelect} disabled={disabled} render={render}>
      {children}
    </BaseMenu.Item>
  )
}
