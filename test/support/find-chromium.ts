import { existsSync } from 'node:fs'

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser of this machine; null when it has none. `CHROMIUM_PATH` names one elsewhere. */
export function findChromium(): string | null {
  return PLACES.find(path => path !== undefined && existsSync(path)) ?? null
}
