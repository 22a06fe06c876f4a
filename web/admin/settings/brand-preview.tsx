import type { CSSProperties } from 'react'
import { APPEARANCES, type Appearance, accentOf, GROUNDS } from '#web/ui/accent.ts'
import { Badge } from '#web/ui/badge.tsx'
import { type Brand, BrandContext } from '#web/ui/brand.ts'
import { buttonClasses } from '#web/ui/button.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'

/** How the pages will look, light and dark, before it is saved. */
export function BrandPreview({ brand }: { readonly brand: Brand }) {
  return (
    <BrandContext value={brand}>
      <section aria-label="Preview" className="grid gap-3 sm:grid-cols-2">
        {APPEARANCES.map(appearance => (
          <div
            key={appearance}
            style={coloursOf(brand.colour, appearance)}
            className="flex min-w-0 flex-col items-start gap-4 rounded-lg border border-field-line bg-surface p-4 text-ink"
          >
            <Logo />
            <div className="flex flex-wrap items-center gap-3 text-sm">
              <span className={buttonClasses({ look: 'primary', size: 'small' })}>Button</span>
              <span className={textLinkClasses}>Link</span>
              <Badge tone="gold">Badge</Badge>
            </div>
          </div>
        ))}
      </section>
    </BrandContext>
  )
}

function coloursOf(colour: string | null, appearance: Appearance): CSSProperties {
  const colours = Object.entries({ ...GROUNDS[appearance], ...accentOf(colour, appearance) })
  return Object.fromEntries(colours.map(([token, value]) => [`--${token}`, value]))
}
