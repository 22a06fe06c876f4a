import { PageMissing } from '#web/frame/page-missing.tsx'

/** An address that leads nowhere. */
export function RouteMissing() {
  return <PageMissing>The address may be mistyped, or the page has moved.</PageMissing>
}
