import { createContext, use } from 'react'

/** How the service presents itself. */
export type Brand = {
  readonly name: string
  /** A picture as a data URL; null: the mark. */
  readonly logo: string | null
  /** From which the accent follows, such as `#1a6f5c`; null: gold. */
  readonly colour: string | null
}

/** How it does where its operator decided nothing, and until it is known what they decided. */
export const GOLDWEIGHT: Brand = { name: 'Goldweight', logo: null, colour: null }

export const BrandContext = createContext<Brand>(GOLDWEIGHT)

/** Which application of the service it is, where that is said, such as `Console`. */
export const ApplicationContext = createContext<string | undefined>(undefined)

/** The window's title of a page: `Requests · Console · Goldweight`. */
export function useWindowTitle(page: string): string {
  return [page, use(ApplicationContext), use(BrandContext).name].filter(Boolean).join(' · ')
}

/** What the service is called, and how it looks. */
export function useBrand(): Brand {
  return use(BrandContext)
}
