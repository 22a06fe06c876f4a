import { Tabs } from '@base-ui/react/tabs'
import { useState } from 'react'
import { classNames } from './class-names.ts'
import { CopyButton } from './copy-button.tsx'

export type CodeSample = { readonly language: string; readonly code: string }

export type CodeBlockProps = {
  /** What the code does, read aloud. */
  readonly label: string
  /** The same in several languages, each under a tab of its own. */
  readonly samples: readonly CodeSample[]
  readonly onCopied?: () => void
}

/** Code to take along: one language at a time, copied by one click. */
export function CodeBlock({ label, samples, onCopied }: CodeBlockProps) {
  const [language, setLanguage] = useState(samples[0]?.language)
  const shown = samples.find(sample => sample.language === language)
  return (
    <Tabs.Root
      value={language}
      onValueChange={next => setLanguage(String(next))}
      className="min-w-0 overflow-hidden rounded-lg border border-line bg-sunken"
    >
      <div className="flex items-center justify-between gap-4 border-b border-line pr-1.5 pl-4">
        <Tabs.List aria-label={label} className="flex gap-4 self-stretch">
          {samples.map(sample => (
            <Tabs.Tab
              key={sample.language}
              value={sample.language}
              className={classNames(
                '-mb-px border-b-2 border-transparent text-xs font-medium text-muted hover:text-ink',
                'data-active:border-gold data-active:text-ink focus-visible:-outline-offset-2',
              )}
            >
              {sample.language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <CopyButton text={shown?.code ?? ''} label="Copy" look="quiet" className="my-1" onCopied={onCopied} />
      </div>
      {samples.map(({ language, code }) => (
        <Tabs.Panel key={language} value={language}>
          {/* Focusable, so that what does not fit can be reached by the arrow keys. */}
          <section
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
            tabIndex={0}
            aria-label={`${label} in ${language}`}
            className="overflow-x-auto p-4 focus-visible:-outline-offset-2"
          >
            <pre className="font-mono text-[0.8125rem] leading-relaxed">
              <code>{code}</code>
            </pre>
          </section>
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  )
}
