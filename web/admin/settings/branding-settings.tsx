import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { branding } from '#contract/branding.ts'
import { configQuery } from '#web/api/identity.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { BrandPreview } from './brand-preview.tsx'
import { LogoField } from './logo-field.tsx'
import type { SettingsFormProps } from './settings-forms.tsx'
import { SettingsPanel } from './settings-panel.tsx'

const typedColour = z
  .string()
  .trim()
  .toLowerCase()
  .transform(text => (text === '' ? null : text))
  .pipe(branding.shape.colour)

/** Where the colour is to be chosen from while there is none: the gold of a button. */
const FIRST_COLOUR = '#e3b34a'

export function BrandingSettings({ settings: { branding: saved } }: SettingsFormProps) {
  const queryClient = useQueryClient()
  const [name, setName] = useState(saved.name)
  const [logo, setLogo] = useState(saved.logo)
  const [colour, setColour] = useState(saved.colour ?? '')
  const shownColour = typedColour.safeParse(colour).data ?? null
  return (
    <SettingsPanel
      title="Branding"
      settings={['branding']}
      schema={z.object({ name: branding.shape.name, colour: typedColour })}
      toPatch={values => ({ branding: { ...values, logo } })}
      messages={{
        name: 'Give a name of 1 to 40 characters.',
        colour: 'Give a colour such as #1a6f5c, or nothing.',
      }}
      onSaved={() => void queryClient.invalidateQueries({ queryKey: configQuery('admin').queryKey })}
    >
      <TextField
        name="name"
        label="What the service is called"
        value={name}
        onChange={event => setName(event.currentTarget.value)}
        autoComplete="off"
        maxLength={40}
      />
      <LogoField logo={logo} onChange={setLogo} />
      <TextField
        name="colour"
        label="Accent colour"
        description="Left empty: gold. Made darker or lighter where text could not be read otherwise."
        value={colour}
        onChange={event => setColour(event.currentTarget.value)}
        placeholder="#1a6f5c"
        autoComplete="off"
        spellCheck={false}
        action={
          <input
            type="color"
            aria-label="Choose the accent colour"
            value={shownColour ?? FIRST_COLOUR}
            onChange={event => setColour(event.currentTarget.value)}
            className="h-10 w-14 shrink-0 rounded-md border border-field-line bg-surface p-1"
          />
        }
      />
      <BrandPreview brand={{ name: name.trim() || saved.name, logo, colour: shownColour }} />
    </SettingsPanel>
  )
}
