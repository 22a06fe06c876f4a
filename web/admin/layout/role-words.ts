import type { AdministratorRole } from '#contract/administrators.ts'

/** What roles are called, and what they include. */
export const ROLE_WORDS: Readonly<
  Record<AdministratorRole, { readonly label: string; readonly includes: string }>
> = {
  owner: { label: 'Owner', includes: 'Everything, administrators and settings too' },
  operator: { label: 'Operator', includes: 'Everything but administrators and settings' },
  viewer: { label: 'Viewer', includes: 'Sees everything, changes nothing' },
}
