import { useCursorPages } from '#web/ui/use-cursor-pages.ts'

/** The pages of a list that can be searched: another search begins at the first page. `change` tells the address. */
export function useSearchedPages(change: (text: string | undefined) => void) {
  const pages = useCursorPages()
  const search = (text: string | undefined) => {
    pages.reset()
    change(text)
  }
  return { pages, search }
}
