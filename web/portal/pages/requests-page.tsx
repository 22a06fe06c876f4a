import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { allKeysQuery } from '#web/api/client/keys.ts'
import { requestsCsvAddress } from '#web/api/client/requests.ts'
import { catalogQuery } from '#web/api/discovery.ts'
import { buttonClasses } from '#web/ui/button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { RequestFilters } from '../requests/request-filters.tsx'
import { RequestList } from '../requests/request-list.tsx'
import { readRequestQuery } from '../requests/request-search.ts'
import { keyChoices, modelChoices } from '../usage/usage-choices.ts'

const route = getRouteApi('/signed-in/requests/')

export function RequestsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useQuery(allKeysQuery).data?.data ?? []
  const models = useQuery(catalogQuery).data?.data ?? []
  const query = readRequestQuery(search)
  return (
    <>
      <PageHeader
        title="Requests"
        action={
          <a href={requestsCsvAddress(query)} download className={buttonClasses()}>
            <Download className="size-4" aria-hidden="true" />
            Export CSV
          </a>
        }
      >
        Every request by itself, with a receipt of what it came to.
      </PageHeader>
      <RequestFilters
        search={search}
        models={modelChoices(models, search.model)}
        keys={keyChoices(keys, search.key)}
        onChange={next =>
          void navigate({ search: { ...search, ...next }, replace: true, resetScroll: false })
        }
      />
      {/* Other filters make another list, which begins with its first page. */}
      <RequestList key={JSON.stringify(query)} query={query} />
    </>
  )
}
