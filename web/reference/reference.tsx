import { type ReactNode, useEffect, useState } from 'react'
import { AppShell } from '#web/ui/app-shell.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { ThemeSwitch } from '#web/ui/theme-switch.tsx'
import { Introduction } from './introduction.tsx'
import { Navigation } from './navigation.tsx'
import { type Document, listEntries } from './openapi.ts'
import { OperationView } from './operation-view.tsx'
import { useDocument } from './use-document.ts'
import { useHash } from './use-hash.ts'

/** The reference: every operation on a page of its own, found by the navigation at its side. */
export function Reference() {
  const { document, failed, retry } = useDocument()
  const hash = useHash()
  const [search, setSearch] = useState('')
  // Another operation is another page: whoever works by keyboard begins at its top.
  useEffect(() => {
    if (hash === '') return
    scrollTo(0, 0)
    window.document.getElementById('content')?.focus()
  }, [hash])
  return (
    <AppShell
      navigation={onFollow =>
        document && (
          <Navigation
            document={document}
            current={hash}
            search={search}
            onSearch={setSearch}
            onFollow={onFollow}
          />
        )
      }
      foot={
        <div className="flex items-center justify-between border-t border-line pt-4 pl-3 text-sm">
          <a href="/portal/" className={textLinkClasses}>
            To the portal
          </a>
          <ThemeSwitch />
        </div>
      }
    >
      {contentOf({ document, failed, retry, hash })}
    </AppShell>
  )
}

type Content = ReturnType<typeof useDocument> & { readonly hash: string }

function contentOf({ document, failed, retry, hash }: Content): ReactNode {
  if (failed) {
    return <ErrorState title="The reference could not be loaded" onRetry={retry} />
  }
  if (!document) return <ReferenceSkeleton />
  if (hash === '' || hash === 'content') return <Introduction document={document} />
  return <Operation document={document} id={hash} />
}

function Operation({ document, id }: { readonly document: Document; readonly id: string }) {
  const entry = listEntries(document).find(({ operationId }) => operationId === id)
  if (entry) return <OperationView key={id} document={document} entry={entry} />
  return (
    <EmptyState title="There is no such operation" isPage>
      Look for it in the navigation, or{' '}
      <a href="#content" className={textLinkClasses}>
        begin at the beginning
      </a>
      .
    </EmptyState>
  )
}

function ReferenceSkeleton() {
  return (
    <div role="status" aria-label="Loading the reference" className="flex flex-col gap-6">
      <Skeleton className="h-8 w-64" />
      <Skeleton className="h-24" />
      <Skeleton className="h-72" />
    </div>
  )
}
