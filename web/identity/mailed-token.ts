/**
 * The token of a link in a mail. It stands behind the `#` of the address, which browsers send nowhere. It is taken out of
 * the address and kept for this window alone, so that it is still there after a sign-in that comes between.
 */
const storedAs = (page: string) => `goldweight.mailed-token.${page}`

/** Takes the token for a page out of the window's address, if there is one; else gives the one that was taken last. */
export function takeMailedToken(page: string): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token === null) return sessionStorage.getItem(storedAs(page))
  sessionStorage.setItem(storedAs(page), token)
  history.replaceState(history.state, '', location.pathname + location.search)
  return token
}

/** Forgets it once it was used. */
export function forgetMailedToken(page: string): void {
  sessionStorage.removeItem(storedAs(page))
}
