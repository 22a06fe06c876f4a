import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { orderState } from '#contract/orders.ts'
import { ordersQuery } from '#web/api/admin/orders.ts'
import { ORDER_STATES } from '#web/orders/state-badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListPage } from '#web/ui/list-page.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { useSearchedPages } from '../layout/use-searched-pages.ts'
import { OrderTable } from '../orders/order-table.tsx'

const route = getRouteApi('/signed-in/orders/')

const STATES = [
  { value: '', label: 'Every state' },
  ...orderState.options.map(value => ({ value, label: ORDER_STATES[value].word })),
]

export function OrdersPage() {
  const { q, state, account } = route.useSearch()
  const navigate = route.useNavigate()
  const narrow = (change: Partial<ReturnType<typeof route.useSearch>>) =>
    void navigate({ search: old => ({ ...old, ...change }), replace: true })
  const { pages, search } = useSearchedPages(next => narrow({ q: next }))
  const orders = useQuery({
    ...ordersQuery({ search: q, state, account_id: account, cursor: pages.cursor }),
    placeholderData: keepPreviousData,
  })
  const isNarrowed = q !== undefined || state !== undefined || account !== undefined
  return (
    <>
      <PageHeader title="Orders">What was bought, by whom, and how its payment stands.</PageHeader>
      <div className="flex flex-wrap gap-x-4">
        <div className="w-full sm:w-96">
          <SearchField
            label="Search orders"
            placeholder="Account, owner's e-mail, or number"
            value={q}
            onSearch={search}
          />
        </div>
        <div className="mb-5 w-full sm:w-52">
          <SelectField
            label="State"
            hideLabel
            choices={STATES}
            value={state ?? ''}
            onValueChange={next => {
              pages.reset()
              narrow({ state: orderState.safeParse(next).data })
            }}
          />
        </div>
        {account !== undefined && (
          <Button
            className="mb-5"
            onClick={() => {
              pages.reset()
              narrow({ account: undefined })
            }}
          >
            Show every account
          </Button>
        )}
      </div>
      <ListPage
        what="orders"
        query={orders}
        pages={pages}
        empty={
          isNarrowed ? (
            <EmptyState title="No order fits">Look for something else, or in every state.</EmptyState>
          ) : (
            <EmptyState title="No orders yet">
              Customers order packages on the portal's page of credits, once one is on sale.
            </EmptyState>
          )
        }
      >
        {rows => <OrderTable orders={rows} />}
      </ListPage>
    </>
  )
}
