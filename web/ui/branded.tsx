import { type ReactNode, useLayoutEffect } from 'react'
import { APPEARANCES, type Appearance, accentOf } from './accent.ts'
import { type Brand, BrandContext } from './brand.ts'

export type BrandedProps = { readonly brand: Brand; readonly children: ReactNode }

/** Pages in the name and the colour of the service. */
export function Branded({ brand, children }: BrandedProps) {
  useLayoutEffect(() => wearColour(brand.colour), [brand.colour])
  return <BrandContext value={brand}>{children}</BrandContext>
}

const SELECTORS: Readonly<Record<Appearance, string>> = {
  light: ':root',
  dark: ':root[data-theme="dark"]',
}

/**
 * Lays the accent of a colour over that of the style sheets; gives the way back. A sheet that a script makes is no
 * inline style: the content security policy allows it.
 */
function wearColour(colour: string | null): (() => void) | undefined {
  if (colour === null) return
  const sheet = new CSSStyleSheet()
  const rules = APPEARANCES.map(appearance => {
    const accent = Object.entries(accentOf(colour, appearance))
    return `${SELECTORS[appearance]}{${accent.map(([token, value]) => `--${token}:${value}`).join(';')}}`
  })
  sheet.replaceSync(rules.join(''))
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(each => each !== sheet)
  }
}
