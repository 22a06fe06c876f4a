import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { refusals, type ServiceError } from '#contract/errors.ts'
import {
  hasToolBreakpoint,
  nameOf,
  refuseFiles,
  refuseLateSystem,
  refuseSettings,
  withBreakpoints,
} from '#gateway/translation/adapt-call.ts'
import type { AdaptedCall, SentMember } from '#gateway/translation/engine.ts'
import type { CacheLife, NeutralCall } from '#gateway/translation/neutral-call.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'

const FILES = {
  types: ['image/', 'video/', 'application/', 'text/'],
  inToolResults: 'data',
} as const

/** A call in the words of Converse. */
export function adaptToConverse(call: NeutralCall, model: string): Outcome<AdaptedCall, ServiceError> {
  const refusal =
    refuseSettings(call, ['presencePenalty', 'frequencyPenalty', 'seed', 'topK']) ??
    refuseLateSystem(call) ??
    refuseFiles(call, FILES) ??
    refuseValues(call, model)
  if (refusal) return refused(refusal)
  const { parallelToolCalls, reasoningBudgetTokens, endUserId } = call
  return accepted({
    options: {
      ...withBreakpoints(call, cachePoint),
      providerOptions: {
        ...(parallelToolCalls === false ? { anthropic: { disableParallelToolUse: true } } : {}),
        ...(reasoningBudgetTokens === undefined
          ? {}
          : { amazonBedrock: { reasoningConfig: { type: 'enabled', budgetTokens: reasoningBudgetTokens } } }),
      },
    },
    unused: [
      ...(endUserId === undefined ? [] : [nameOf(call, 'endUserId')]),
      ...(hasToolBreakpoint(call) ? ['cache breakpoints on tools'] : []),
    ],
    mustBeSent: mustBeSent(call),
  })
}

function refuseValues(call: NeutralCall, model: string): ServiceError | null {
  const { temperature, responseFormat, tools, prompt } = call.options
  if (temperature !== undefined && temperature > 1) {
    return refusals.notCarriedOver(nameOf(call, 'temperature'), 'the upstream of this model takes 0 to 1')
  }
  if (responseFormat?.type === 'json' && responseFormat.schema === undefined) {
    return refusals.notCarriedOver(
      nameOf(call, 'responseFormat'),
      'the upstream of this model writes JSON by a schema alone',
    )
  }
  if (call.parallelToolCalls === false && tools?.length && !/\bclaude\b|anthropic/.test(model)) {
    return refusals.notCarriedOver(
      nameOf(call, 'parallelToolCalls'),
      'the upstream of this model may always call several tools at once',
    )
  }
  const hasCalls = prompt.some(
    message => message.role !== 'system' && message.content.some(part => part.type.startsWith('tool-')),
  )
  if (hasCalls && !tools?.length) {
    return refusals.notCarriedOver(
      nameOf(call, 'tools'),
      'the upstream of this model takes calls of tools only together with the tools',
    )
  }
  return null
}

/** The package leaves out what it knows a model to refuse. */
function mustBeSent(call: NeutralCall): SentMember[] {
  const { temperature, topP, maxOutputTokens, stopSequences, toolChoice } = call.options
  const members: SentMember[] = []
  if (temperature !== undefined)
    members.push({ anyOf: ['"temperature":'], field: nameOf(call, 'temperature') })
  if (topP !== undefined) members.push({ anyOf: ['"topP":'], field: nameOf(call, 'topP') })
  if (maxOutputTokens !== undefined) members.push({ anyOf: ['"maxTokens":'], field: 'max_tokens' })
  if (stopSequences) members.push({ anyOf: ['"stopSequences":'], field: nameOf(call, 'stopSequences') })
  const field = nameOf(call, 'toolChoice')
  if (toolChoice?.type === 'required')
    members.push({ anyOf: ['"toolChoice":{"any"', '"tool_choice":{"type":"any"'], field })
  if (toolChoice?.type === 'tool')
    members.push({ anyOf: ['"toolChoice":{"tool"', '"tool_choice":{"type":"tool"'], field })
  return members
}

/** Entries live 5 minutes or an hour: https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html (2026-11). */
function cachePoint(life: CacheLife | 'default'): SharedV4ProviderOptions {
  const ttl = life === 'default' || life === '5m' ? {} : { ttl: '1h' }
  return { bedrock: { cachePoint: { type: 'default', ...ttl } } }
}
