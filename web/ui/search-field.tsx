import { Field } from '@base-ui/react/field'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { fieldClasses } from './field-classes.ts'

/** So long after the last stroke of a key it is asked for what was typed. */
const PAUSE_MS = 250

export type SearchFieldProps = {
  /** Read aloud: 'Search accounts'. */
  readonly label: string
  /** What can be found by. */
  readonly placeholder: string
  /** What is searched for now; undefined for everything. */
  readonly value: string | undefined
  readonly onSearch: (text: string | undefined) => void
}

/** A text to find things by: it searches by itself as soon as the typing pauses. */
export function SearchField({ label, placeholder, value, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(value ?? '')
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(pause.current), [])
  const type = (text: string) => {
    setTyped(text)
    clearTimeout(pause.current)
    pause.current = setTimeout(() => onSearch(text.trim() || undefined), PAUSE_MS)
  }
  return (
    <search className="mb-5 block max-w-xl">
      <Field.Root className="relative">
        <Field.Label className="sr-only">{label}</Field.Label>
        <Search className="absolute top-3 left-3 size-4 text-muted" aria-hidden="true" />
        <Field.Control
          type="search"
          placeholder={placeholder}
          value={typed}
          maxLength={200}
          onChange={event => type(event.target.value)}
          className={`${fieldClasses} pl-9`}
        />
      </Field.Root>
    </search>
  )
}
