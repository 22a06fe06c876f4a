import { type ChangeEvent, useId, useRef, useState } from 'react'
import { branding, MAX_LOGO_BYTES } from '#contract/branding.ts'
import { Button } from '#web/ui/button.tsx'
import { labelClasses } from '#web/ui/field-classes.ts'

export type LogoFieldProps = {
  /** As a data URL; null for none. */
  readonly logo: string | null
  readonly onChange: (logo: string | null) => void
}

/** A picture from the visitor's disk. */
export function LogoField({ logo, onChange }: LogoFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string | null>(null)

  async function choose(event: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = event.currentTarget.files ?? []
    if (!file) return
    const read = branding.shape.logo.safeParse(file.size > MAX_LOGO_BYTES ? '' : await readDataUrl(file))
    setError(read.success ? null : 'Choose a PNG or WebP picture of at most 64 kB.')
    if (read.success) onChange(read.data)
  }

  function remove(): void {
    if (input.current) input.current.value = ''
    setError(null)
    onChange(null)
  }

  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className={labelClasses}>
        Logo
      </label>
      <div className="flex flex-wrap items-center gap-2">
        <input
          ref={input}
          id={id}
          type="file"
          accept="image/png,image/webp"
          aria-describedby={`${id}-about`}
          aria-invalid={error !== null}
          onChange={event => void choose(event)}
          className="min-w-0 flex-1 text-sm text-muted file:mr-3 file:h-8 file:rounded-md file:border file:border-field-line/60 file:bg-surface file:px-3 file:text-sm file:font-medium file:text-ink"
        />
        {logo !== null && (
          <Button size="small" onClick={remove}>
            Remove the logo
          </Button>
        )}
      </div>
      <p id={`${id}-about`} className={error === null ? 'text-sm text-muted' : 'text-sm text-bad'}>
        {error ?? 'PNG or WebP, at most 64 kB. None: the mark of Goldweight.'}
      </p>
    </div>
  )
}

/** Empty when the file can not be read. */
function readDataUrl(file: File): Promise<string> {
  return new Promise(resolve => {
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '')
    reader.onerror = () => resolve('')
    reader.readAsDataURL(file)
  })
}
