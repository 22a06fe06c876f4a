import type { JSONSchema7, LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { refusalOfBody } from '#gateway/translation/exact-object.ts'
import type { NeutralCall } from '#gateway/translation/neutral-call.ts'
import { defined } from '#lib/defined.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { cacheOptions } from './cache-marks.ts'
import { type ChatBody, type ChatTool, chatBody } from './chat-body.ts'
import { readMessages } from './read-messages.ts'

const FIELD_NAMES: NeutralCall['fieldNames'] = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  stopSequences: 'stop',
  seed: 'seed',
  tools: 'tools',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'parallel_tool_calls',
  responseFormat: 'response_format',
  reasoning: 'reasoning_effort',
  endUserId: 'user',
  prompt: 'messages',
}

/** Members that no upstream of another protocol has a use for, and that change no answer. */
const UNUSED = ['metadata', 'prompt_cache_key', 'prompt_cache_retention', 'prompt_cache_options'] as const

export type ParsedChat = { readonly call: NeutralCall; readonly asksForUsage: boolean }

/** Reads an OpenAI chat request into a neutral call. */
export function parseChat(given: unknown): Outcome<ParsedChat, ServiceError> {
  const checked = chatBody.safeParse(given)
  if (!checked.success) return refused(refusalOfBody(checked.error))
  const body = checked.data
  const isToolDue = body.tool_choice != null && body.tool_choice !== 'auto' && body.tool_choice !== 'none'
  if (isToolDue && !body.tools?.length) return refused(refusals.invalid('tool_choice: there are no tools'))
  const messages = readMessages(body.messages)
  if (!messages.ok) return messages
  const { prompt, unused } = messages.value
  const endUserId = body.safety_identifier ?? body.user
  return accepted({
    asksForUsage: body.stream_options?.include_usage === true,
    call: {
      options: { prompt, ...settings(body), ...tools(body), ...responseFormat(body) },
      ...(body.parallel_tool_calls == null ? {} : { parallelToolCalls: body.parallel_tool_calls }),
      ...(endUserId == null ? {} : { endUserId }),
      fieldNames: FIELD_NAMES,
      unused: [...UNUSED.filter(name => body[name] != null), ...unused],
    },
  })
}

function settings(body: ChatBody): Partial<LanguageModelV4CallOptions> {
  const { stop } = body
  const stopSequences = typeof stop === 'string' ? [stop] : (stop ?? [])
  return {
    ...defined('maxOutputTokens', body.max_completion_tokens ?? body.max_tokens),
    ...defined('temperature', body.temperature),
    ...defined('topP', body.top_p),
    ...defined('topK', body.top_k),
    // A penalty of 0 is none.
    ...defined('presencePenalty', body.presence_penalty || null),
    ...defined('frequencyPenalty', body.frequency_penalty || null),
    ...defined('seed', body.seed),
    ...defined('reasoning', body.reasoning_effort),
    ...(stopSequences.length === 0 ? {} : { stopSequences }),
  }
}

function tools({ tools, tool_choice: choice }: ChatBody): Partial<LanguageModelV4CallOptions> {
  if (!tools || tools.length === 0) return {}
  return {
    tools: tools.map(toTool),
    ...(choice == null
      ? {}
      : {
          toolChoice:
            typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.function.name },
        }),
  }
}

function toTool(tool: ChatTool): LanguageModelV4FunctionTool {
  const { name, description, parameters, strict } = tool.function
  return {
    type: 'function',
    name,
    ...(description == null ? {} : { description }),
    // Handed on as it was given: the upstream judges whether it is a schema that it can follow.
    inputSchema: (parameters ?? { type: 'object', properties: {} }) as JSONSchema7,
    ...(strict == null ? {} : { strict }),
    ...cacheOptions(tool),
  }
}

function responseFormat({ response_format: format }: ChatBody): Partial<LanguageModelV4CallOptions> {
  switch (format?.type) {
    case 'json_object':
      return { responseFormat: { type: 'json' } }
    case 'json_schema': {
      const { schema, name, description } = format.json_schema
      return {
        responseFormat: {
          type: 'json',
          // As with tools, the upstream judges the schema.
          schema: schema as JSONSchema7,
          ...(name == null ? {} : { name }),
          ...(description == null ? {} : { description }),
        },
      }
    }
    default:
      return {}
  }
}
