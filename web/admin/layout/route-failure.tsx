import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { PageFailure } from '#web/frame/page-failure.tsx'

/** A page that could not be loaded; another try asks for all that it is made of again. */
export function RouteFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return <PageFailure error={error} onRetry={retry} />
}
