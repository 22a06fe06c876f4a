import { Plus, Trash2 } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { type FurtherDraft, withFurther } from './further-credentials.ts'

export type FurtherCredentialsFieldsProps = {
  readonly drafts: readonly FurtherDraft[]
  readonly onChange: (drafts: readonly FurtherDraft[]) => void
}

/** More credentials of one provider: written once, shown by their names alone. */
export function FurtherCredentialsFields({ drafts, onChange }: FurtherCredentialsFieldsProps) {
  return (
    <>
      <p className="text-sm text-muted">
        Used in turns with the one above, so that their limits add up. One that is throttled or refused rests,
        while the others go on.
      </p>
      {drafts.map((draft, index) => (
        <FurtherFields
          key={draft.row}
          index={index}
          draft={draft}
          onChange={changed => onChange(drafts.with(index, changed))}
          onRemove={() => onChange(drafts.toSpliced(index, 1))}
        />
      ))}
      <div>
        <Button size="small" disabled={drafts.length >= 50} onClick={() => onChange(withFurther(drafts))}>
          <Plus className="size-4" aria-hidden="true" />
          Add credential
        </Button>
      </div>
    </>
  )
}

type FurtherFieldsProps = {
  readonly index: number
  readonly draft: FurtherDraft
  readonly onChange: (draft: FurtherDraft) => void
  readonly onRemove: () => void
}

function FurtherFields({ index, draft, onChange, onRemove }: FurtherFieldsProps) {
  const title = draft.storedAs ?? `New credential ${index + 1}`
  // The service names fields by their place, as the form does.
  const nameOf = (field: 'name' | 'credential') => `further_credentials.${index}.${field}`
  return (
    <fieldset className="flex flex-col gap-4 rounded-md border border-line p-4">
      <legend className="max-w-full px-1 text-sm font-medium break-words">{title}</legend>
      <TextField
        name={nameOf('name')}
        label="Its name"
        description="Tells it from the others, here and in the log"
        value={draft.name}
        onValueChange={name => onChange({ ...draft, name })}
        autoComplete="off"
      />
      <TextArea
        name={nameOf('credential')}
        label={draft.storedAs === null ? 'Its credential' : 'A new credential in its place'}
        description={
          draft.storedAs === null
            ? 'Encrypted, and never shown again.'
            : 'One is stored, encrypted. Left empty: it stays.'
        }
        value={draft.credential}
        onValueChange={credential => onChange({ ...draft, credential })}
        autoComplete="off"
        spellCheck={false}
      />
      <div>
        <Button look="quiet" size="small" onClick={onRemove} aria-label={`Remove ${title}`}>
          <Trash2 className="size-4" aria-hidden="true" />
          Remove
        </Button>
      </div>
    </fieldset>
  )
}
