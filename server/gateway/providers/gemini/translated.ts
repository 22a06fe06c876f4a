import { readGenerateContentUsage } from '#gateway/metering/generate-content-usage.ts'
import type { Engine } from '#gateway/translation/engine.ts'
import { adaptToGoogle } from './adapt-to-google.ts'
import { googleStatusMeant } from './google-status.ts'

/** Google's Gemini API. Its base URL ends before `/models/…`. */
export const geminiEngine: Engine = {
  adapt: adaptToGoogle,
  languageModel: async ({ provider, upstreamModel, fetch }) => {
    const { createGoogle } = await import('@ai-sdk/google')
    // An empty key would be looked for in the environment.
    const apiKey = provider.credential ?? 'none'
    return createGoogle({ baseURL: provider.baseUrl, apiKey, fetch }).languageModel(upstreamModel)
  },
  readUsage: readGenerateContentUsage,
  statusMeant: googleStatusMeant,
  finalMark: '"finishReason"',
}
