import { useState } from 'react'

/** The way through a list by cursors: they only lead on, so the way back is kept. Start anew when filters change. */
export function useCursorPages() {
  const [cursors, setCursors] = useState<readonly string[]>([])
  return {
    /** Of the page that is shown; undefined for the first. */
    cursor: cursors.at(-1),
    hasNewer: cursors.length > 0,
    newer: () => setCursors(cursors.slice(0, -1)),
    older: (next: string) => setCursors([...cursors, next]),
    reset: () => setCursors([]),
  }
}
