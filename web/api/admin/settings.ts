import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { type patchSettings, settings } from '#contract/settings.ts'
import { callOrThrow } from '../call.ts'

export type Settings = z.output<typeof settings>
export type SettingsPatch = z.input<typeof patchSettings>

/** What the operator decides for the whole service. */
export const settingsQuery = queryOptions({
  queryKey: ['admin', 'settings'],
  queryFn: ({ signal }) => callOrThrow({ path: '/admin/settings', reply: settings, signal }),
})

export function changeSettings(body: SettingsPatch): Promise<Settings> {
  return callOrThrow({ method: 'PATCH', path: '/admin/settings', body, reply: settings })
}
