import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { Application } from './application.ts'

/** What happens once somebody is signed in: to the page that they came for, or to the overview. */
export function useEntering<Me>({ base, meKey }: Application, from: string | undefined) {
  const queryClient = useQueryClient()
  const router = useRouter()
  return (me: Me) => {
    queryClient.clear()
    queryClient.setQueryData(meKey, me)
    router.history.push(`${base}${from ?? '/'}`)
  }
}
