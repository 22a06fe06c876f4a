import type { CatalogEntry } from '#web/api/discovery.ts'

/** How a model is doing, in words. */
export const STATUS_WORDS: Readonly<
  Record<CatalogEntry['status'], { tone: 'good' | 'warn' | 'plain'; word: string; meaning: string }>
> = {
  available: { tone: 'good', word: 'Available', meaning: 'Answers as it should.' },
  degraded: { tone: 'warn', word: 'Degraded', meaning: 'Its upstream is failing or missing at the moment.' },
  deprecated: { tone: 'plain', word: 'Deprecated', meaning: 'Will be taken away: move to another model.' },
}
