import { Tabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type StatTab = {
  readonly value: string
  readonly label: string
  readonly figure: string
  readonly note: string
}

export type StatTabsProps = {
  /** What the figures are of, read aloud. */
  readonly label: string
  readonly tabs: readonly StatTab[]
  readonly value: string
  readonly onValueChange: (value: string) => void
  /** More on the chosen figure. */
  readonly children: ReactNode
}

/** Figures side by side, of which one is shown in detail below. */
export function StatTabs({ label, tabs, value, onValueChange, children }: StatTabsProps) {
  return (
    <Tabs.Root value={value} onValueChange={next => onValueChange(String(next))}>
      <Tabs.List aria-label={label} className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-6">
        {tabs.map(tab => (
          <Tabs.Tab
            key={tab.value}
            value={tab.value}
            className={classNames(
              'flex min-w-0 flex-col gap-0.5 rounded-lg border border-line bg-surface px-4 py-3 text-left',
              'hover:border-field-line data-active:border-gold data-active:bg-gold-soft',
            )}
          >
            <span className="text-sm text-muted">{tab.label}</span>
            <span className="figures text-xl font-semibold tracking-tight break-words">{tab.figure}</span>
            <span className="text-xs text-muted">{tab.note}</span>
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {/* One panel, which shows what is chosen: none is left behind while another comes. */}
      <Tabs.Panel value={value} className="mt-6">
        {children}
      </Tabs.Panel>
    </Tabs.Root>
  )
}
