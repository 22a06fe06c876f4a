import { Field } from '@base-ui/react/field'
import type { ReactNode } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import { fieldClasses } from '#web/ui/field-classes.ts'
import { MethodName } from './method-name.tsx'
import { type Document, type Entry, groupByTag, listEntries } from './openapi.ts'

export type NavigationProps = {
  readonly document: Document
  /** The id of the operation that is shown. */
  readonly current: string
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly onFollow: () => void
}

/** Every operation under its tag, or those that have all words of the search. */
export function Navigation({ document, current, search, onSearch, onFollow }: NavigationProps) {
  const groups = groupByTag(document, findEntries(listEntries(document), search))
  return (
    <>
      <Field.Root className="px-1 pb-2">
        <Field.Label className="sr-only">Search operations</Field.Label>
        <Field.Control
          type="search"
          placeholder="Search"
          value={search}
          onChange={event => onSearch(event.target.value)}
          className={fieldClasses}
        />
      </Field.Root>
      <NavigationLink href="#content" isCurrent={current === '' || current === 'content'} onFollow={onFollow}>
        Introduction
      </NavigationLink>
      {groups.length === 0 && <p className="px-3 py-2 text-sm text-muted">Nothing found</p>}
      {groups.map(({ name, entries }) => (
        <section key={name} aria-label={name} className="mt-4">
          <h2 className="px-3 pb-1 text-xs font-semibold text-muted">{name}</h2>
          {entries.map(entry => (
            <NavigationLink
              key={entry.operationId}
              href={`#${entry.operationId}`}
              isCurrent={entry.operationId === current}
              onFollow={onFollow}
            >
              <span className="min-w-0 flex-1">{entry.summary}</span>
              <MethodName method={entry.method} />
            </NavigationLink>
          ))}
        </section>
      ))}
    </>
  )
}

type NavigationLinkProps = {
  readonly href: string
  readonly isCurrent: boolean
  readonly onFollow: () => void
  readonly children: ReactNode
}

function NavigationLink({ href, isCurrent, onFollow, children }: NavigationLinkProps) {
  return (
    <a
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onFollow}
      className={classNames(
        'flex items-start justify-between gap-2 rounded-md px-3 py-1.5 text-sm text-muted hover:bg-sunken hover:text-ink',
        'focus-visible:-outline-offset-2 aria-[current=page]:bg-gold-soft aria-[current=page]:text-ink',
      )}
    >
      {children}
    </a>
  )
}

function findEntries(entries: readonly Entry[], search: string): Entry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter(({ summary, method, path, tags }) => {
    const said = `${summary} ${method} ${path} ${tags.join(' ')}`.toLowerCase()
    return words.every(word => said.includes(word))
  })
}
