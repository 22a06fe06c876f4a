import type { UsageGroup, UsageGrouping } from '#contract/usage-report.ts'
import type { Storage } from '#storage/storage.ts'

/** What tells a group from the others, by what it is grouped by. */
export type GroupName = Partial<
  Pick<UsageGroup, 'model' | 'key_id' | 'account_id' | 'provider' | 'endpoint' | 'label'>
>

/** Finds what people call the groups; keys and accounts have names beside their identifiers. */
export async function nameGroups(
  { reports }: Pick<Storage, 'reports'>,
  groupBy: UsageGrouping | null,
  groups: readonly string[],
): Promise<(group: string | null) => GroupName> {
  const labels =
    groups.length > 0 && (groupBy === 'key' || groupBy === 'account')
      ? await reports
          .selectFrom(groupBy === 'key' ? 'api_keys' : 'accounts')
          .select(['id', 'name'])
          .where('id', 'in', groups)
          .execute()
      : []
  const labelOf = new Map(labels.map(({ id, name }) => [id, name]))
  return group => (group === null || groupBy === null ? {} : nameOf(groupBy, group, labelOf.get(group)))
}

function nameOf(groupBy: UsageGrouping, group: string, label: string | undefined): GroupName {
  switch (groupBy) {
    case 'model':
      return { model: group === '' ? null : group, label: group === '' ? 'No model' : group }
    case 'key':
      return { key_id: group, label: label ?? group }
    case 'account':
      return { account_id: group, label: label ?? group }
    case 'provider':
      return { provider: group === '' ? null : group, label: group === '' ? 'No provider' : group }
    case 'endpoint':
      return { endpoint: group, label: group }
  }
}
