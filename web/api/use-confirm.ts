import { useMutation } from '@tanstack/react-query'

export type ConfirmOptions<Subject, Reply> = {
  /** What is asked about; null while nothing is. */
  readonly subject: Subject | null
  /** What is done to it once it was confirmed. */
  readonly act: (subject: Subject) => Promise<Reply>
  /** After it was done: the button is busy until this is over. */
  readonly onDone: (reply: Reply, subject: Subject) => unknown
  /** When the question is put away without an answer. */
  readonly onClose: () => void
}

/**
 * A deed that is asked about before it is done. What it gives is for `ConfirmDialog`; why a deed failed is forgotten with
 * the question.
 */
export function useConfirm<Subject, Reply>(options: ConfirmOptions<Subject, Reply>) {
  const { subject, act, onDone, onClose } = options
  const { mutate, isPending, error, reset } = useMutation({ mutationFn: act, onSuccess: onDone })
  return {
    open: subject !== null,
    onOpenChange: (open: boolean) => {
      if (open) return
      onClose()
      reset()
    },
    onConfirm: () => {
      if (subject !== null) mutate(subject)
    },
    pending: isPending,
    failure: error?.message,
  }
}
