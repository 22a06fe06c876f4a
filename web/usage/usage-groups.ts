import type { UsageGroup, UsageReport } from '#contract/usage-report.ts'

/** What tells the groups of a report apart. */
type Named = Partial<
  Pick<UsageGroup, 'others' | 'key_id' | 'account_id' | 'endpoint' | 'provider' | 'model' | 'label'>
>

/** Names the group of a row within its report. */
export function groupId({ others, key_id, account_id, endpoint, provider, model }: Named): string {
  return others ? 'others' : `=${key_id ?? account_id ?? endpoint ?? provider ?? model ?? ''}`
}

export function groupLabel({ others, label }: Named): string {
  return others ? 'All others' : (label ?? '')
}

/** How many groups are drawn by themselves: colours for more can't be told apart. */
export const DRAWN_GROUPS = 4

/** The groups that have rows of their own, in their order, and the rest as one where there is any. */
export function drawnGroups({ groups }: Pick<UsageReport, 'groups'>): readonly Named[] {
  const drawn = groups.slice(0, DRAWN_GROUPS)
  return groups.length > DRAWN_GROUPS ? [...drawn, { others: true }] : drawn
}

export type GroupedBy = NonNullable<UsageReport['group_by']>

export const GROUP_NAMES: Readonly<Record<GroupedBy, string>> = {
  model: 'Model',
  key: 'Key',
  account: 'Account',
  provider: 'Provider',
  endpoint: 'Route',
}
