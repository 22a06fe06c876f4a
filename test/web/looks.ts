/** What every page has to pass in each look: axe, no sideways scrolling, and a picture to be looked at (none under `CI`). */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import type { Look } from './visitor.ts'

export const LOOKS: readonly Required<Pick<Look, 'theme' | 'width'>>[] = [
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 1440 },
]

const PICTURES = fileURLToPath(new URL('../../coverage/pictures/', import.meta.url))

/** Holds the page that is shown to what every page has to pass in each look, and keeps a picture of each. */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true })
  for (const { theme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: width < 600 ? 844 : 900 })
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    // Nobody looks at pictures where everything only has to pass.
    if (!process.env.CI) await page.screenshot({ path: pictureOf(name, { theme, width }), fullPage: true })
    await expectNothingHidden(page, `${name} ${theme} ${width}`)
    await expectAccessible(page, { theme, width }, name)
  }
}

function pictureOf(name: string, { theme, width }: (typeof LOOKS)[number]): string {
  return `${PICTURES}${name}-${theme}-${width}.png`
}

async function expectNothingHidden(page: Page, name: string): Promise<void> {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
  expect(overflow, `${name} scrolls sideways`).toBeLessThanOrEqual(0)
}

/** What a theme can change: nothing but colours. So all else is looked at in one of them. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block']

async function expectAccessible(
  page: Page,
  { theme, width }: Required<Pick<Look, 'theme' | 'width'>>,
  name: string,
) {
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    // They stand around what holds the focus, and hand on at once whatever focus they get.
    .exclude('[data-base-ui-focus-guard]')
  if (theme === 'dark') axe.withRules(RULES_OF_COLOUR)
  const { violations } = await axe.analyze()
  const found = violations.map(({ id, nodes }) => ({
    id,
    targets: nodes.map(({ target }) => target.join(' ')),
  }))
  expect(found, `${name} ${theme} ${width}`).toEqual([])
}
