import type { JSONSchema7, LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { refusalOfBody } from '#gateway/translation/exact-object.ts'
import { type NeutralCall, withCacheBreakpoint } from '#gateway/translation/neutral-call.ts'
import { defined } from '#lib/defined.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { cacheOptions } from './cache-marks.ts'
import { type MessagesBody, type MessagesTool, messagesBody } from './messages-body.ts'
import { type Reading, readMessages } from './read-messages.ts'

const FIELD_NAMES: NeutralCall['fieldNames'] = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  stopSequences: 'stop_sequences',
  tools: 'tools',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'tool_choice.disable_parallel_tool_use',
  responseFormat: 'output_config.format',
  reasoning: 'thinking',
  endUserId: 'metadata.user_id',
  prompt: 'messages',
}

/** Reads a request of Anthropic's Messages into a neutral call. */
export function parseMessages(given: unknown): Outcome<NeutralCall, ServiceError> {
  const checked = messagesBody.safeParse(given)
  if (!checked.success) return refused(refusalOfBody(checked.error))
  const body = checked.data
  const isToolDue = body.tool_choice?.type === 'any' || body.tool_choice?.type === 'tool'
  if (isToolDue && !body.tools?.length) return refused(refusals.invalid('tool_choice: there are no tools'))
  const reading: Reading = { toolNames: new Map(), unused: unusedOf(body) }
  const prompt = readMessages(body, reading)
  if (!prompt.ok) return prompt
  markEnd(prompt.value, body)
  return accepted({
    options: { prompt: prompt.value, ...settings(body), ...tools(body), ...responseFormat(body) },
    ...parallelToolCalls(body),
    ...(body.thinking?.type === 'enabled' ? { reasoningBudgetTokens: body.thinking.budget_tokens } : {}),
    ...defined('endUserId', body.metadata?.user_id),
    fieldNames: FIELD_NAMES,
    unused: reading.unused,
  })
}

/** Not to think is what many models do anyway, and what others can't be told. */
function unusedOf({ context_management, thinking }: MessagesBody): string[] {
  return [
    ...(context_management == null ? [] : ['context_management']),
    ...(thinking?.type === 'disabled' ? ['thinking'] : []),
  ]
}

function settings(body: MessagesBody): Partial<LanguageModelV4CallOptions> {
  const stopSequences = body.stop_sequences ?? []
  return {
    maxOutputTokens: body.max_tokens,
    ...defined('temperature', body.temperature),
    ...defined('topP', body.top_p),
    ...defined('topK', body.top_k),
    ...(body.thinking?.type === 'disabled' ? {} : defined('reasoning', body.output_config?.effort)),
    ...(stopSequences.length === 0 ? {} : { stopSequences }),
  }
}

function tools({ tools, tool_choice: choice }: MessagesBody): Partial<LanguageModelV4CallOptions> {
  if (!tools || tools.length === 0) return {}
  return { tools: tools.map(toTool), ...(choice ? { toolChoice: toToolChoice(choice) } : {}) }
}

function toTool(tool: MessagesTool): LanguageModelV4FunctionTool {
  const { name, description, input_schema: schema, strict, input_examples: examples } = tool
  return {
    type: 'function',
    name,
    ...defined('description', description),
    // Handed on as it was given: the upstream judges whether it is a schema that it can follow.
    inputSchema: schema as JSONSchema7,
    ...defined('strict', strict),
    // Objects of JSON are what the package's type means.
    ...(examples
      ? { inputExamples: examples.map(input => ({ input })) as LanguageModelV4FunctionTool['inputExamples'] }
      : {}),
    ...cacheOptions(tool),
  }
}

function toToolChoice(
  choice: NonNullable<MessagesBody['tool_choice']>,
): NonNullable<LanguageModelV4CallOptions['toolChoice']> {
  switch (choice.type) {
    case 'any':
      return { type: 'required' }
    case 'tool':
      return { type: 'tool', toolName: choice.name }
    default:
      return { type: choice.type }
  }
}

function parallelToolCalls({
  tool_choice: choice,
  tools,
}: MessagesBody): Pick<NeutralCall, 'parallelToolCalls'> {
  if (!choice || choice.type === 'none' || !tools?.length) return {}
  return choice.disable_parallel_tool_use === true ? { parallelToolCalls: false } : {}
}

function responseFormat({ output_config: config }: MessagesBody): Partial<LanguageModelV4CallOptions> {
  if (!config?.format) return {}
  // As with tools, the upstream judges the schema.
  return { responseFormat: { type: 'json', schema: config.format.schema as JSONSchema7 } }
}

/** A mark on the whole request stands for the end of what it says. */
function markEnd(prompt: LanguageModelV4CallOptions['prompt'], { cache_control: mark }: MessagesBody): void {
  const last = prompt.at(-1)
  if (mark && last) last.providerOptions = withCacheBreakpoint(mark.ttl ?? null, last.providerOptions)
}
