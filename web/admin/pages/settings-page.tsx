import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '#web/api/admin/settings.ts'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { usePermissions } from '../layout/permissions.tsx'
import { BrandingSettings } from '../settings/branding-settings.tsx'
import {
  AdministratorSettings,
  BalanceSettings,
  LimitSettings,
  PricingSettings,
  RetentionSettings,
  SellingSettings,
  SignUpSettings,
} from '../settings/settings-forms.tsx'

export function SettingsPage() {
  const settings = useQuery({ ...settingsQuery, staleTime: 0 })
  const { mayDecide } = usePermissions()
  return (
    <>
      <PageHeader title="Settings">What holds for the whole service, from the moment it is saved.</PageHeader>
      {!mayDecide && (
        <div className="mb-6 max-w-3xl">
          <Notice>Owners alone change settings.</Notice>
        </div>
      )}
      {settings.isPending && (
        <div role="status" aria-label="Loading the settings">
          <Skeleton className="h-96" />
        </div>
      )}
      {settings.data === undefined && (
        <QueryFailure query={settings} title="The settings could not be loaded" />
      )}
      {settings.data && (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <SignUpSettings settings={settings.data} />
          <LimitSettings settings={settings.data} />
          <AdministratorSettings settings={settings.data} />
          <RetentionSettings settings={settings.data} />
          <PricingSettings settings={settings.data} />
          <BalanceSettings settings={settings.data} />
          <SellingSettings settings={settings.data} />
          <BrandingSettings settings={settings.data} />
        </div>
      )}
    </>
  )
}
