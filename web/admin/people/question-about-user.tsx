import { useQueryClient } from '@tanstack/react-query'
import { USERS, type User } from '#web/api/admin/users.ts'
import { useConfirm } from '#web/api/use-confirm.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { notify } from '#web/ui/toast.tsx'

const QUESTIONS = {
  disable: {
    title: (name: string) => `Disable ${name}?`,
    confirmLabel: 'Disable user',
    says: 'They can not sign in any more, and all of their keys are refused at once. You can enable them again.',
    done: 'User disabled',
  },
  'second-factor': {
    title: (name: string) => `Take the second factor of ${name} away?`,
    confirmLabel: 'Take it away',
    says: 'Their password alone opens their account until they set one up again. Be sure that it is they who ask.',
    done: 'Second factor taken away',
  },
} as const

export type UserQuestion = keyof typeof QUESTIONS

export type QuestionAboutUserProps = {
  readonly about: UserQuestion
  /** Whom it is about; null while nobody asks for it. */
  readonly user: User | null
  readonly act: (user: User) => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before something is done to a user. */
export function QuestionAboutUser({ about, user, act, onClose }: QuestionAboutUserProps) {
  const queryClient = useQueryClient()
  const { title, confirmLabel, says, done } = QUESTIONS[about]
  const confirm = useConfirm({
    subject: user,
    act,
    onDone: async (_reply, { name }) => {
      onClose()
      notify(done, name)
      await queryClient.invalidateQueries({ queryKey: USERS })
    },
    onClose,
  })
  return (
    <ConfirmDialog {...confirm} title={title(user?.name ?? 'this user')} confirmLabel={confirmLabel}>
      <p>{says}</p>
    </ConfirmDialog>
  )
}
