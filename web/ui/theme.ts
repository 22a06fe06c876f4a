import { useSyncExternalStore } from 'react'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** The document's own script reads this before the first paint. */
const KEY = 'goldweight-theme'
const listeners = new Set<() => void>()
const prefersDark = () => matchMedia('(prefers-color-scheme: dark)')

function readTheme(): Theme {
  try {
    const chosen = localStorage.getItem(KEY)
    return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
  } catch {
    return 'system'
  }
}

function applyTheme(): void {
  const theme = readTheme()
  const dark = theme === 'system' ? prefersDark().matches : theme === 'dark'
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  for (const listener of listeners) listener()
}

function chooseTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // A browser that keeps nothing still shows what was chosen, until the page is left.
  }
  applyTheme()
}

/** Follows the system while the application runs, and other windows that choose. Call once. */
export function followTheme(): void {
  prefersDark().addEventListener('change', applyTheme)
  addEventListener('storage', event => {
    if (event.key === KEY) applyTheme()
  })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What was chosen, and the way to choose. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, readTheme), chooseTheme]
}
