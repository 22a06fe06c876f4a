import { refusals, type ServiceError } from '#contract/errors.ts'
import {
  hasCacheBreakpoint,
  nameOf,
  refuseFiles,
  refuseLateSystem,
  withBreakpoints,
} from '#gateway/translation/adapt-call.ts'
import type { AdaptedCall, SentMember } from '#gateway/translation/engine.ts'
import type { NeutralCall } from '#gateway/translation/neutral-call.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'

const FILES = {
  types: ['image', 'audio', 'video', 'application/pdf', 'text/'],
  inToolResults: 'data',
} as const

/** A call in the words of Google's generateContent, on Gemini's API and on Vertex AI. */
export function adaptToGoogle(call: NeutralCall): Outcome<AdaptedCall, ServiceError> {
  const refusal = refuseParallel(call) ?? refuseLateSystem(call) ?? refuseFiles(call, FILES)
  if (refusal) return refused(refusal)
  const { reasoning } = call.options
  const { reasoningBudgetTokens } = call
  const isThinking = (reasoning !== undefined && reasoning !== 'none') || reasoningBudgetTokens !== undefined
  return accepted({
    options: {
      // Caches of this kind are made ahead of calls, or by themselves.
      ...withBreakpoints(call, () => ({})),
      providerOptions: {
        google: isThinking
          ? {
              thinkingConfig: {
                includeThoughts: true,
                ...(reasoningBudgetTokens === undefined ? {} : { thinkingBudget: reasoningBudgetTokens }),
              },
            }
          : {},
      },
    },
    unused: unusedAtGoogle(call),
    mustBeSent: penalties(call),
  })
}

function refuseParallel(call: NeutralCall): ServiceError | null {
  if (call.parallelToolCalls !== false || !call.options.tools?.length) return null
  return refusals.notCarriedOver(
    nameOf(call, 'parallelToolCalls'),
    'the upstream of this model may always call several tools at once',
  )
}

function unusedAtGoogle(call: NeutralCall): string[] {
  const isStrict = call.options.tools?.some(tool => tool.type === 'function' && tool.strict === true)
  return [
    ...(call.endUserId === undefined ? [] : [nameOf(call, 'endUserId')]),
    ...(isStrict ? ['strict tools'] : []),
    ...(hasCacheBreakpoint(call) ? ['cache breakpoints'] : []),
  ]
}

/** Some models refuse penalties, and the package leaves them out then. */
function penalties(call: NeutralCall): SentMember[] {
  const { presencePenalty, frequencyPenalty } = call.options
  const members: SentMember[] = []
  if (presencePenalty !== undefined) {
    members.push({ anyOf: ['"presencePenalty":'], field: nameOf(call, 'presencePenalty') })
  }
  if (frequencyPenalty !== undefined) {
    members.push({ anyOf: ['"frequencyPenalty":'], field: nameOf(call, 'frequencyPenalty') })
  }
  return members
}
