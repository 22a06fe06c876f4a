import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { patchPromoCode } from '#contract/promo-codes.ts'
import { changePromoCode, PROMO_CODES, type PromoCode } from '#web/api/admin/promo-codes.ts'
import { changedFields } from '#web/api/changed-fields.ts'
import { useForm } from '#web/api/use-form.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Form } from '#web/ui/form.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { notify } from '#web/ui/toast.tsx'
import { BOUND_MESSAGES, CodeBounds, endOfDay, shownBounds, typedBound } from './code-bounds.tsx'

export type EditCodeDialogProps = {
  readonly code: PromoCode
  readonly open: boolean
  readonly onClose: () => void
}

/** Changes what bounds a code; what it grants stays as it was made. */
export function EditCodeDialog({ code, open, onClose }: EditCodeDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={next => !next && onClose()}
      title={`Edit ${code.code}`}
      description="What it grants stays as it was made."
    >
      <EditCodeForm code={code} onDone={onClose} />
    </Dialog>
  )
}

function EditCodeForm({ code, onDone }: { readonly code: PromoCode; readonly onDone: () => void }) {
  const queryClient = useQueryClient()
  // As the fields began: the list may load it anew meanwhile.
  const [shown] = useState(() => shownBounds(code))
  const { formProps, pending } = useForm({
    schema: patchPromoCode,
    submit: body => changePromoCode(code.id, changedFields(body, shown)),
    onDone: async () => {
      await queryClient.invalidateQueries({ queryKey: PROMO_CODES })
      onDone()
      notify('Code saved', code.code)
    },
    messages: BOUND_MESSAGES,
  })
  const { onFormSubmit } = formProps
  return (
    <Form
      {...formProps}
      onFormSubmit={({ max_uses, expires_at, note }) =>
        onFormSubmit({ max_uses: typedBound(max_uses), expires_at: endOfDay(expires_at), note })
      }
    >
      <CodeBounds code={code} />
      <SubmitButton pending={pending}>Save code</SubmitButton>
    </Form>
  )
}
