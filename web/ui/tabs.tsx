import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type Tab = { readonly value: string; readonly label: ReactNode; readonly content: ReactNode }

export type TabsProps = {
  /** What the tabs are of, read aloud. */
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly value?: string
  readonly onValueChange?: (value: string) => void
}

/** Several views of one thing, of which one is seen. */
export function Tabs({ label, tabs, value, onValueChange }: TabsProps) {
  return (
    <BaseTabs.Root
      defaultValue={value === undefined ? tabs[0]?.value : undefined}
      value={value}
      onValueChange={next => onValueChange?.(String(next))}
    >
      <BaseTabs.List aria-label={label} className="flex gap-5 overflow-x-auto border-b border-line">
        {tabs.map(tab => (
          <BaseTabs.Tab
            key={tab.value}
            value={tab.value}
            className={classNames(
              '-mb-px border-b-2 border-transparent py-2.5 text-sm font-medium whitespace-nowrap text-muted',
              'hover:text-ink data-active:border-gold data-active:text-ink focus-visible:-outline-offset-2',
            )}
          >
            {tab.label}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {tabs.map(tab => (
        <BaseTabs.Panel key={tab.value} value={tab.value} className="pt-5">
          {tab.content}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  )
}
