import { Tabs } from '@base-ui/react/tabs'
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
  return (
    <Tabs.Root
      defaultValue={samples[0]?.language}
      className="overflow-hidden rounded-lg border border-line bg-sunken"
    >
      <Tabs.List aria-label={label} className="flex gap-4 border-b border-line px-4">
        {samples.map(({ language }) => (
          <Tabs.Tab
            key={language}
            value={language}
            className={classNames(
              '-mb-px border-b-2 border-transparent py-2 text-xs font-medium text-muted hover:text-ink',
              'data-active:border-gold data-active:text-ink focus-visible:-outline-offset-2',
            )}
          >
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {samples.map(({ language, code }) => (
        <Tabs.Panel key={language} value={language} className="relative">
          {/* Focusable, so that what does not fit can be reached by the arrow keys. */}
          <section
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
            tabIndex={0}
            aria-label={`${label} in ${language}`}
            className="overflow-x-auto p-4 pb-14 focus-visible:-outline-offset-2"
          >
            <pre className="font-mono text-[0.8125rem] leading-relaxed">
              <code>{code}</code>
            </pre>
          </section>
          <div className="absolute right-3 bottom-3">
            <CopyButton text={code} label="Copy" onCopied={onCopied} />
          </div>
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  )
}
