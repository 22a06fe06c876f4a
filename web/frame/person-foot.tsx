import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { ThemeSwitch } from '#web/ui/theme-switch.tsx'
import { notifyFailure } from '#web/ui/toast.tsx'

export type PersonFootProps = {
  readonly person: { readonly name: string; readonly email: string } | undefined
  readonly signOut: () => Promise<null>
  /** What else is worth knowing of them. */
  readonly note?: ReactNode
}

/** Who is signed in, with the way out. */
export function PersonFoot({ person, signOut, note }: PersonFootProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const leave = useMutation({
    mutationFn: signOut,
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
        <p className="truncate font-medium">{person?.name}</p>
        <p className="truncate text-muted">{person?.email}</p>
        {note}
      </div>
      <div className="flex items-center justify-between gap-2">
        <Button look="quiet" size="small" pending={leave.isPending} onClick={() => leave.mutate()}>
          <LogOut className="size-4" aria-hidden="true" />
          Sign out
        </Button>
        <ThemeSwitch />
      </div>
    </div>
  )
}
