import { useMutation } from '@tanstack/react-query'
import { type Realm, sendVerification } from '#web/api/identity.ts'
import { Button } from '#web/ui/button.tsx'
import { notify, notifyFailure } from '#web/ui/toast.tsx'

/** Has the mail that confirms an address sent again. */
export function ResendVerification({ realm }: { readonly realm: Realm }) {
  const send = useMutation({
    mutationFn: () => sendVerification(realm),
    onSuccess: () => notify('The mail is on its way', 'Follow the link in it to confirm your address.'),
    onError: error =>
      notifyFailure(
        'The mail was not sent',
        error.status === 429 ? 'Enough were sent for now; try again in a while.' : error.message,
      ),
  })
  return (
    <Button size="small" pending={send.isPending} onClick={() => send.mutate()}>
      Send link again
    </Button>
  )
}
