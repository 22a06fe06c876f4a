import { RowList } from '#web/ui/row-list.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { type FurtherDraft, withFurther } from './further-credentials.ts'

export type FurtherCredentialsFieldsProps = {
  readonly drafts: readonly FurtherDraft[]
  /** Whether the address is that of another server: what is stored is not sent there. */
  readonly isMoved: boolean
  readonly onChange: (drafts: readonly FurtherDraft[]) => void
}

/** More credentials of one provider: written once, shown by their names alone. */
export function FurtherCredentialsFields({ drafts, isMoved, onChange }: FurtherCredentialsFieldsProps) {
  return (
    <>
      <p className="text-sm text-muted">
        Used in turns with the one above, so that their limits add up. One that is throttled or refused rests,
        while the others go on.
      </p>
      <RowList
        rows={drafts}
        most={50}
        titleOf={({ storedAs }, index) => storedAs ?? `New credential ${index + 1}`}
        fieldsOf={(draft, change, index) => (
          <FurtherFields index={index} draft={draft} isMoved={isMoved} onChange={change} />
        )}
        onChange={onChange}
        addLabel="Add credential"
        onAdd={() => onChange(withFurther(drafts))}
      />
    </>
  )
}

type FurtherFieldsProps = {
  readonly index: number
  readonly draft: FurtherDraft
  readonly isMoved: boolean
  readonly onChange: (draft: FurtherDraft) => void
}

function FurtherFields({ index, draft, isMoved, onChange }: FurtherFieldsProps) {
  // The service names fields by their place, as the form does.
  const nameOf = (field: 'name' | 'credential') => `further_credentials.${index}.${field}`
  const isNew = draft.storedAs === null
  return (
    <>
      <TextField
        name={nameOf('name')}
        label="Its name"
        description="Tells it from the others, here and where one rests"
        value={draft.name}
        onValueChange={name => onChange({ ...draft, name })}
        autoComplete="off"
      />
      <TextArea
        name={nameOf('credential')}
        label={isNew ? 'Its credential' : 'A new credential in its place'}
        description={isNew ? 'Encrypted, and never shown again.' : storedHint(isMoved)}
        value={draft.credential}
        onValueChange={credential => onChange({ ...draft, credential })}
        autoComplete="off"
        spellCheck={false}
      />
    </>
  )
}

function storedHint(isMoved: boolean): string {
  return isMoved
    ? 'Needed again: the one that is stored is not sent to another server.'
    : 'One is stored, encrypted. Left empty: it stays.'
}
