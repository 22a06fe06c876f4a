import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { nameOf, refuseFiles, refuseSettings, withBreakpoints } from '#gateway/translation/adapt-call.ts'
import type { AdaptedCall, SentMember } from '#gateway/translation/engine.ts'
import type { CacheLife, NeutralCall } from '#gateway/translation/neutral-call.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'

/** https://docs.claude.com/en/api/messages (2026-11): temperatures go from 0 to 1. */
const MAX_TEMPERATURE = 1

const FILES = { types: ['image', 'application/pdf', 'text/plain'], inToolResults: 'any' } as const

/** A call in the words of the Messages API, whoever serves it. */
export function adaptToAnthropic(call: NeutralCall): Outcome<AdaptedCall, ServiceError> {
  const refusal =
    refuseSettings(call, ['presencePenalty', 'frequencyPenalty', 'seed']) ??
    refuseFiles(call, FILES) ??
    refuseValues(call)
  if (refusal) return refused(refusal)
  const { parallelToolCalls, endUserId, reasoningBudgetTokens } = call
  return accepted({
    options: {
      ...withBreakpoints(call, cacheControl),
      providerOptions: {
        anthropic: {
          // Tools as the API serves them by default: their arguments come when they are whole and valid.
          toolStreaming: false,
          ...(parallelToolCalls === false ? { disableParallelToolUse: true } : {}),
          ...(endUserId === undefined ? {} : { metadata: { userId: endUserId } }),
          ...(reasoningBudgetTokens === undefined
            ? {}
            : { thinking: { type: 'enabled', budgetTokens: reasoningBudgetTokens } }),
        },
      },
    },
    unused: [],
    mustBeSent: mustBeSent(call),
  })
}

function refuseValues(call: NeutralCall): ServiceError | null {
  const { temperature, responseFormat } = call.options
  if (temperature !== undefined && temperature > MAX_TEMPERATURE) {
    return refusals.notCarriedOver(nameOf(call, 'temperature'), 'the upstream of this model takes 0 to 1')
  }
  if (responseFormat?.type === 'json' && responseFormat.schema === undefined) {
    return refusals.notCarriedOver(
      nameOf(call, 'responseFormat'),
      'the upstream of this model writes JSON by a schema alone',
    )
  }
  return null
}

/** Newer models refuse sampling settings, and thinking excludes some more: the package leaves them out then. */
function mustBeSent(call: NeutralCall): SentMember[] {
  const { temperature, topP, topK, toolChoice } = call.options
  const members: SentMember[] = []
  if (temperature !== undefined)
    members.push({ anyOf: ['"temperature":'], field: nameOf(call, 'temperature') })
  if (topP !== undefined) members.push({ anyOf: ['"top_p":'], field: nameOf(call, 'topP') })
  if (topK !== undefined) members.push({ anyOf: ['"top_k":'], field: nameOf(call, 'topK') })
  const field = nameOf(call, 'toolChoice')
  if (toolChoice?.type === 'required') members.push({ anyOf: ['"tool_choice":{"type":"any"'], field })
  if (toolChoice?.type === 'tool') members.push({ anyOf: ['"tool_choice":{"type":"tool"'], field })
  return members
}

/** Entries live 5 minutes or an hour: https://docs.claude.com/en/docs/build-with-claude/prompt-caching (2026-11). */
function cacheControl(life: CacheLife | 'default'): SharedV4ProviderOptions {
  const ttl = life === 'default' || life === '5m' ? {} : { ttl: '1h' }
  return { anthropic: { cacheControl: { type: 'ephemeral', ...ttl } } }
}
