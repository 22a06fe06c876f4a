import type { JSONSchema7, LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { refusalOfBody } from '#gateway/translation/exact-object.ts'
import type { NeutralCall } from '#gateway/translation/neutral-call.ts'
import { defined } from '#lib/defined.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { readInput } from './read-input.ts'
import { type ResponsesBody, type ResponsesTool, responsesBody } from './responses-body.ts'

const FIELD_NAMES: NeutralCall['fieldNames'] = {
  temperature: 'temperature',
  topP: 'top_p',
  tools: 'tools',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'parallel_tool_calls',
  responseFormat: 'text.format',
  reasoning: 'reasoning.effort',
  endUserId: 'user',
  prompt: 'input',
}

/** Members that no upstream of another protocol has a use for, and that change no answer. */
const UNUSED = [
  'metadata',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'max_tool_calls',
] as const

export type ParsedResponses = { readonly call: NeutralCall; readonly body: ResponsesBody }

/** Reads a request of OpenAI's Responses into a neutral call. */
export function parseResponses(given: unknown): Outcome<ParsedResponses, ServiceError> {
  const checked = responsesBody.safeParse(given)
  if (!checked.success) return refused(refusalOfBody(checked.error))
  const body = checked.data
  const isToolDue = body.tool_choice != null && body.tool_choice !== 'auto' && body.tool_choice !== 'none'
  if (isToolDue && !body.tools?.length) return refused(refusals.invalid('tool_choice: there are no tools'))
  const unused: string[] = UNUSED.filter(name => body[name] != null)
  const prompt = readInput(body, unused)
  if (!prompt.ok) return prompt
  return accepted({
    body,
    call: {
      options: { prompt: prompt.value, ...settings(body), ...tools(body), ...responseFormat(body) },
      ...defined('parallelToolCalls', body.parallel_tool_calls),
      ...defined('endUserId', body.safety_identifier ?? body.user),
      fieldNames: FIELD_NAMES,
      unused,
    },
  })
}

function settings(body: ResponsesBody): Partial<LanguageModelV4CallOptions> {
  return {
    ...defined('maxOutputTokens', body.max_output_tokens),
    ...defined('temperature', body.temperature),
    ...defined('topP', body.top_p),
    ...defined('reasoning', body.reasoning?.effort),
  }
}

function tools({ tools, tool_choice: choice }: ResponsesBody): Partial<LanguageModelV4CallOptions> {
  if (!tools || tools.length === 0) return {}
  if (choice == null) return { tools: tools.map(toTool) }
  return {
    tools: tools.map(toTool),
    toolChoice: typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.name },
  }
}

function toTool({ name, description, parameters, strict }: ResponsesTool): LanguageModelV4FunctionTool {
  return {
    type: 'function',
    name,
    ...defined('description', description),
    // Handed on as it was given: the upstream judges whether it is a schema that it can follow.
    inputSchema: (parameters ?? { type: 'object', properties: {} }) as JSONSchema7,
    ...defined('strict', strict),
  }
}

function responseFormat({ text }: ResponsesBody): Partial<LanguageModelV4CallOptions> {
  switch (text?.format?.type) {
    case 'json_object':
      return { responseFormat: { type: 'json' } }
    case 'json_schema': {
      const { schema, name, description } = text.format
      return {
        responseFormat: {
          type: 'json',
          // As with tools, the upstream judges the schema.
          schema: schema as JSONSchema7,
          ...defined('name', name),
          ...defined('description', description),
        },
      }
    }
    default:
      return {}
  }
}
