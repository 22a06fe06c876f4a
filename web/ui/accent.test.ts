import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { APPEARANCES, type Appearance, accentOf, contrast, GROUNDS } from './accent.ts'

const LEVELS = ['00', '24', '49', '6d', '92', 'b6', 'db', 'ff']
const COLOURS = LEVELS.flatMap(red => LEVELS.flatMap(green => LEVELS.map(blue => `#${red}${green}${blue}`)))

/** The pairs that are hard to read, each with its contrast. */
function unreadable(colour: string, appearance: Appearance): string[] {
  const accent = accentOf(colour, appearance)
  const { surface, ground, sunken, ink, muted } = GROUNDS[appearance]
  const soft = accent['gold-soft']
  const pairs: readonly (readonly [text: string, ground: string])[] = [
    ...[surface, ground, sunken, soft].map(each => [accent.gold, each] as const),
    ...[surface, soft].map(each => [accent['gold-strong'], each] as const),
    [accent['on-gold'], accent['gold-fill']],
    [accent['on-gold'], accent['gold-fill-strong']],
    [ink, soft],
    [muted, soft],
  ]
  return pairs
    .filter(([text, on]) => contrast(text, on) < 4.5)
    .map(([text, on]) => `${colour} ${appearance}: ${text} on ${on} ${contrast(text, on).toFixed(2)}`)
}

test.each(APPEARANCES)('of any colour follows an accent that can be read (%s)', appearance => {
  expect(COLOURS.flatMap(colour => unreadable(colour, appearance))).toEqual([])
})

test.each(APPEARANCES)('a button is seen on the page, whatever the colour (%s)', appearance => {
  const faint = COLOURS.filter(
    colour => contrast(accentOf(colour, appearance)['gold-fill'], GROUNDS[appearance].surface) < 1.6,
  )
  expect(faint).toEqual([])
})

test('a colour that can be read as it is stays as it is', () => {
  expect(accentOf('#1a5f4c', 'light')).toMatchObject({ gold: '#1a5f4c', 'gold-fill': '#1a5f4c' })
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
})

test('the grounds and the gold are those of the pages', async () => {
  const css = await readFile(new URL('./theme.css', import.meta.url), 'utf8')
  const [light = '', dark = ''] = css.split(':root[data-theme="dark"]')
  for (const [appearance, text] of [['light', light] as const, ['dark', dark] as const]) {
    const colours = Object.entries({ ...GROUNDS[appearance], ...accentOf(null, appearance) })
    for (const [name, colour] of colours) expect(text).toContain(`--${name}: ${colour};`)
  }
})
