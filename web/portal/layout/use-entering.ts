import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type Me, meQuery } from '#web/api/client/session.ts'

/** What happens once somebody is signed in: to the page that they came for, or to the overview. */
export function useEntering(from: string | undefined) {
  const queryClient = useQueryClient()
  const router = useRouter()
  return (me: Me) => {
    queryClient.clear()
    queryClient.setQueryData(meQuery.queryKey, me)
    router.history.push(`/portal${from ?? '/'}`)
  }
}
