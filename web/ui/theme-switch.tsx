import { Toggle } from '@base-ui/react/toggle'
import { ToggleGroup } from '@base-ui/react/toggle-group'
import { Monitor, Moon, Sun } from 'lucide-react'
import { THEMES, type Theme, useTheme } from './theme.ts'

const LOOKS = {
  system: { label: 'As the system', Icon: Monitor },
  light: { label: 'Light', Icon: Sun },
  dark: { label: 'Dark', Icon: Moon },
} as const

/** Light, dark, or as the system has it. */
export function ThemeSwitch() {
  const [theme, chooseTheme] = useTheme()
  return (
    <ToggleGroup
      aria-label="Theme"
      value={[theme]}
      onValueChange={([next]) => {
        if (next !== undefined) chooseTheme(next as Theme) // the values are those of THEMES
      }}
      className="inline-flex rounded-md border border-line bg-sunken p-0.5"
    >
      {THEMES.map(value => {
        const { label, Icon } = LOOKS[value]
        return (
          <Toggle
            key={value}
            value={value}
            aria-label={label}
            title={label}
            className="flex size-7 items-center justify-center rounded text-muted hover:text-ink data-pressed:bg-surface data-pressed:text-ink"
          >
            <Icon className="size-4" aria-hidden="true" />
          </Toggle>
        )
      })}
    </ToggleGroup>
  )
}
