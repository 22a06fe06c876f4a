import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { readCohereUsage } from '#gateway/metering/cohere-usage.ts'
import { hasCacheBreakpoint, nameOf, refuseFiles, withBreakpoints } from '#gateway/translation/adapt-call.ts'
import type { AdaptedCall, Engine } from '#gateway/translation/engine.ts'
import type { NeutralCall } from '#gateway/translation/neutral-call.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'

const FILES = { types: ['image'], inToolResults: 'none' } as const

/** Cohere's API, version 2. Its base URL ends before `/chat`. */
export const cohereEngine: Engine = {
  adapt: adaptToCohere,
  languageModel: async ({ provider, upstreamModel, fetch }) => {
    const { createCohere } = await import('@ai-sdk/cohere')
    // An empty key would be looked for in the environment.
    const apiKey = provider.credential ?? 'none'
    return createCohere({ baseURL: provider.baseUrl, apiKey, fetch }).languageModel(upstreamModel)
  },
  readUsage: readCohereUsage,
  finalMark: '"message-end"',
}

function adaptToCohere(call: NeutralCall): Outcome<AdaptedCall, ServiceError> {
  const refusal = refuseParallel(call) ?? refuseFiles(call, FILES)
  if (refusal) return refused(refusal)
  const { reasoningBudgetTokens, endUserId } = call
  const options = withBreakpoints(call, () => ({}))
  return accepted({
    options: {
      ...options,
      prompt: options.prompt.flatMap(textsBeforeCalls),
      providerOptions: {
        cohere:
          reasoningBudgetTokens === undefined
            ? {}
            : { thinking: { type: 'enabled', tokenBudget: reasoningBudgetTokens } },
      },
    },
    unused: [
      ...(endUserId === undefined ? [] : [nameOf(call, 'endUserId')]),
      ...(hasCacheBreakpoint(call) ? ['cache breakpoints'] : []),
      ...(hasReasoning(call) ? ['reasoning of earlier turns'] : []),
      ...(call.options.tools?.some(tool => tool.type === 'function' && tool.strict) ? ['strict tools'] : []),
    ],
    mustBeSent: [],
  })
}

function refuseParallel(call: NeutralCall): ServiceError | null {
  if (call.parallelToolCalls !== false || !call.options.tools?.length) return null
  return refusals.notCarriedOver(
    nameOf(call, 'parallelToolCalls'),
    'the upstream of this model may always call several tools at once',
  )
}

function hasReasoning({ options: { prompt } }: NeutralCall): boolean {
  return prompt.some(
    message => message.role === 'assistant' && message.content.some(part => part.type === 'reasoning'),
  )
}

/** What was said before calling tools becomes a message of its own: within the one that calls, the package drops it. */
function textsBeforeCalls(message: LanguageModelV4Message): LanguageModelV4Message[] {
  if (message.role !== 'assistant') return [message]
  const texts = message.content.filter(part => part.type === 'text')
  const others = message.content.filter(part => part.type !== 'text')
  if (texts.length === 0 || !others.some(part => part.type === 'tool-call')) return [message]
  return [
    { ...message, content: texts },
    { ...message, content: others },
  ]
}
