import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type CreatedKey, KEYS } from '#web/api/client/keys.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { NewKeyForm } from './new-key-form.tsx'
import { NewKeyToken } from './new-key-token.tsx'

export type NewKeyDialogProps = {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly onCreated?: (key: CreatedKey) => void
}

/** Makes a key, and shows its token: the only time that anyone sees it. */
export function NewKeyDialog({ open, onOpenChange, onCreated }: NewKeyDialogProps) {
  const queryClient = useQueryClient()
  const [created, setCreated] = useState<CreatedKey | null>(null)
  const changeOpen = (next: boolean) => {
    onOpenChange(next)
    if (!next) setCreated(null)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      keepsOpen={created !== null}
      title={created ? `${created.name} is ready` : 'New key'}
      description={
        created
          ? 'Copy the key now: only a hash of it is kept, so it can not be shown again.'
          : 'Name it after the program that will use it.'
      }
    >
      {created ? (
        <>
          <NewKeyToken token={created.token} />
          <div className="mt-5 flex justify-end">
            <Button onClick={() => changeOpen(false)}>I have copied the key</Button>
          </div>
        </>
      ) : (
        <NewKeyForm
          onCreated={key => {
            setCreated(key)
            onCreated?.(key)
            void queryClient.invalidateQueries({ queryKey: KEYS })
          }}
        />
      )}
    </Dialog>
  )
}
