import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { LogOut } from 'lucide-react'
import { meQuery, signOutOfPortal } from '#web/api/client/session.ts'
import { Button } from '#web/ui/button.tsx'
import { ThemeSwitch } from '#web/ui/theme-switch.tsx'
import { notifyFailure } from '#web/ui/toast.tsx'

/** Who is signed in, with the way out. */
export function SignedInAs() {
  const { data: me } = useQuery(meQuery)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const signOut = useMutation({
    mutationFn: signOutOfPortal,
    onSuccess: async () => {
      await navigate({ to: '/sign-in' })
      // What the last user saw is gone from memory before the next one signs in.
      queryClient.clear()
    },
    onError: error => notifyFailure('Signing out failed', error.message),
  })
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <div className="min-w-0 px-3 text-sm">
        <p className="truncate font-medium">{me?.user.name}</p>
        <p className="truncate text-muted">{me?.user.email}</p>
      </div>
      <div className="flex items-center justify-between gap-2">
        <Button look="quiet" size="small" pending={signOut.isPending} onClick={() => signOut.mutate()}>
          <LogOut className="size-4" aria-hidden="true" />
          Sign out
        </Button>
        <ThemeSwitch />
      </div>
    </div>
  )
}
