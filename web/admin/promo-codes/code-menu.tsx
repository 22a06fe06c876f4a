import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { changePromoCode, PROMO_CODES, type PromoCode } from '#web/api/admin/promo-codes.ts'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { notify, notifyFailure } from '#web/ui/toast.tsx'
import { EditCodeDialog } from './edit-code-dialog.tsx'

/** What can be done with a code. */
export function CodeMenu({ code }: { readonly code: PromoCode }) {
  const queryClient = useQueryClient()
  const [editing, setEditing] = useState(false)
  const change = useMutation({
    mutationFn: () => changePromoCode(code.id, { enabled: !code.enabled }),
    onSuccess: saved => {
      notify(saved.enabled ? 'Code switched on' : 'Code switched off', saved.code)
      void queryClient.invalidateQueries({ queryKey: PROMO_CODES })
    },
    onError: error => notifyFailure('The code was not changed', error.message),
  })
  return (
    <>
      <Menu
        trigger={
          <Button look="quiet" size="small-icon" aria-label={`Actions for ${code.code}`}>
            <Ellipsis className="size-4" aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem onSelect={() => setEditing(true)}>Edit</MenuItem>
        <MenuItem onSelect={() => change.mutate()}>{code.enabled ? 'Switch off' : 'Switch on'}</MenuItem>
      </Menu>
      <EditCodeDialog code={code} open={editing} onClose={() => setEditing(false)} />
    </>
  )
}
