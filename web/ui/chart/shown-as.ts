import { useSyncExternalStore } from 'react'

export type ShownAs = 'chart' | 'table'

const KEY = 'goldweight-charts'
const listeners = new Set<() => void>()
let shownAs: ShownAs = readShownAs()

function readShownAs(): ShownAs {
  try {
    return localStorage.getItem(KEY) === 'table' ? 'table' : 'chart'
  } catch {
    return 'chart'
  }
}

function showAs(next: ShownAs): void {
  shownAs = next
  try {
    localStorage.setItem(KEY, next)
  } catch {
    // A browser that keeps nothing shows it until the page is left.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether charts are drawn or written out, and the way to choose: one choice for all of them. */
export function useShownAs(): [ShownAs, (next: ShownAs) => void] {
  return [useSyncExternalStore(subscribe, () => shownAs), showAs]
}
