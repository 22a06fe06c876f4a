/** The accent of the pages, worked out from one colour so that whatever stands on it or is set in it can be read. */
export type Accent = Readonly<Record<AccentToken, string>>

export type AccentToken = 'gold' | 'gold-strong' | 'gold-soft' | 'gold-fill' | 'gold-fill-strong' | 'on-gold'

export const APPEARANCES = ['light', 'dark'] as const
export type Appearance = (typeof APPEARANCES)[number]

/** The grounds that text in the accent stands on, as `theme.css` has them, and the texts that stand on its soft tint. */
export const GROUNDS = {
  light: { surface: '#ffffff', ground: '#faf8f4', sunken: '#f3f0e9', ink: '#1d1a15', muted: '#635c50' },
  dark: { surface: '#1c1a16', ground: '#14120f', sunken: '#11100d', ink: '#f0ece3', muted: '#aea697' },
} as const

/** The accent where no colour was chosen, as `theme.css` has it. */
export const GOLD: Readonly<Record<Appearance, Accent>> = {
  light: {
    gold: '#835c00',
    'gold-strong': '#6b4b00',
    'gold-soft': '#f7eed8',
    'gold-fill': '#e3b34a',
    'gold-fill-strong': '#d5a233',
    'on-gold': '#1c1505',
  },
  dark: {
    gold: '#e0b354',
    'gold-strong': '#efc873',
    'gold-soft': '#33290f',
    'gold-fill': '#e0b354',
    'gold-fill-strong': '#efc873',
    'on-gold': '#1c1505',
  },
}

/** Of text on its ground (WCAG 2.2, 1.4.3). */
const READABLE = 4.5
/** Of a button's face on the page: a bright one may be as faint on white as the gold is, no fainter. */
const SEEN = { light: 1.6, dark: 3 } as const
/** How much of the colour its soft tint takes. */
const TINT = 0.12
const STEP = 0.02

const BLACK = '#000000'
const WHITE = '#ffffff'

/** The accent that follows from a colour such as `#1a6f5c`; null: gold. */
export function accentOf(colour: string | null, appearance: Appearance): Accent {
  if (colour === null) return GOLD[appearance]
  const { surface, ground, sunken } = GROUNDS[appearance]
  const away = appearance === 'light' ? BLACK : WHITE
  const soft = mix(surface, colour, TINT)
  const text = moveUntil(colour, away, tried =>
    [surface, ground, sunken, soft].every(each => contrast(tried, each) >= READABLE),
  )
  const fill = moveUntil(colour, away, tried => contrast(tried, surface) >= SEEN[appearance])
  // Of black and white one is always readable: the worse the one, the better the other.
  const onFill = contrast(fill, BLACK) >= contrast(fill, WHITE) ? BLACK : WHITE
  return {
    gold: text,
    'gold-strong': mix(text, away, 0.2),
    'gold-soft': soft,
    'gold-fill': fill,
    'gold-fill-strong': mix(fill, onFill === BLACK ? WHITE : BLACK, 0.15),
    'on-gold': onFill,
  }
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** The colour itself where it will do, else the least of it mixed with another that does; at last the other. */
function moveUntil(colour: string, towards: string, suffices: (tried: string) => boolean): string {
  for (let share = 0; share < 1; share += STEP) {
    const tried = mix(colour, towards, share)
    if (suffices(tried)) return tried
  }
  return towards
}

function mix(colour: string, other: string, share: number): string {
  const others = channels(other)
  const mixed = channels(colour).map((value, index) =>
    Math.round(value + ((others[index] ?? value) - value) * share),
  )
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

function channels(colour: string): number[] {
  return [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16))
}

/** WCAG 2.2, "relative luminance". */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map(value => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
