import { z } from 'zod'
import { exactObject, neverCarried, onlyWhere } from '#gateway/translation/exact-object.ts'

/**
 * What of an OpenAI chat request can be said to upstreams of other protocols. `cache_control`, `reasoning_content` and
 * `reasoning_details` are no part of OpenAI's own API but known from compatible servers.
 * https://platform.openai.com/docs/api-reference/chat/create (2026-11)
 */

const cacheMarks = {
  cache_control: exactObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).nullish() }).nullish(),
  prompt_cache_breakpoint: exactObject({
    mode: z.literal('explicit'),
    ttl: z.enum(['30m', '12h']).nullish(),
  }).nullish(),
}

const textPart = exactObject({ type: z.literal('text'), text: z.string(), ...cacheMarks })

const imagePart = exactObject({
  type: z.literal('image_url'),
  image_url: exactObject({ url: z.string(), detail: z.string().nullish() }),
  ...cacheMarks,
})

const audioPart = exactObject({
  type: z.literal('input_audio'),
  input_audio: exactObject({ data: z.string(), format: z.enum(['wav', 'mp3']) }),
  ...cacheMarks,
})

const filePart = exactObject({
  type: z.literal('file'),
  file: exactObject({ file_data: z.string(), filename: z.string().nullish(), file_id: neverCarried }),
  ...cacheMarks,
})

const refusalPart = exactObject({ type: z.literal('refusal'), refusal: z.string(), ...cacheMarks })

const userPart = z.discriminatedUnion('type', [textPart, imagePart, audioPart, filePart])
const toolPart = z.discriminatedUnion('type', [textPart, imagePart])
const assistantPart = z.discriminatedUnion('type', [textPart, refusalPart])

const toolCall = exactObject({
  id: z.string().min(1),
  type: z.literal('function').nullish(),
  index: z.number().nullish(),
  function: exactObject({ name: z.string().min(1), arguments: z.string() }),
  extra_content: z
    .looseObject({ google: z.looseObject({ thought_signature: z.string().nullish() }).nullish() })
    .nullish(),
})

const reasoningDetail = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  signature: z.string().nullish(),
  data: z.string().nullish(),
})

const systemMessage = exactObject({
  role: z.enum(['system', 'developer']),
  content: z.union([z.string(), z.array(textPart)]),
  ...cacheMarks,
})

const userMessage = exactObject({
  role: z.literal('user'),
  content: z.union([z.string(), z.array(userPart).min(1)]),
  ...cacheMarks,
})

const assistantMessage = exactObject({
  role: z.literal('assistant'),
  content: z.union([z.string(), z.array(assistantPart)]).nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(toolCall).nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  reasoning_details: z.array(reasoningDetail).nullish(),
  // What an answer held beside its text, sent back as it was.
  annotations: z.unknown().optional(),
  ...cacheMarks,
})

const toolMessage = exactObject({
  role: z.literal('tool'),
  tool_call_id: z.string().min(1),
  content: z.union([z.string(), z.array(toolPart)]),
  name: z.string().nullish(),
  ...cacheMarks,
})

const message = z.discriminatedUnion('role', [systemMessage, userMessage, assistantMessage, toolMessage])

const functionTool = exactObject({
  type: z.literal('function'),
  function: exactObject({
    name: z.string().min(1),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
  }),
  ...cacheMarks,
})

const responseFormat = z.discriminatedUnion('type', [
  exactObject({ type: z.literal('text') }),
  exactObject({ type: z.literal('json_object') }),
  exactObject({
    type: z.literal('json_schema'),
    json_schema: exactObject({
      name: z.string().nullish(),
      description: z.string().nullish(),
      schema: z.record(z.string(), z.unknown()),
      strict: z.boolean().nullish(),
    }),
  }),
])

const namedToolChoice = exactObject({
  type: z.literal('function'),
  function: exactObject({ name: z.string().min(1) }),
})

export const chatBody = exactObject({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: z.number().int().min(1).nullish(),
  max_completion_tokens: z.number().int().min(1).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  top_k: z.number().int().nullish(),
  presence_penalty: z.number().nullish(),
  frequency_penalty: z.number().nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  seed: z.number().int().nullish(),
  tools: z.array(functionTool).nullish(),
  tool_choice: z.union([z.enum(['none', 'auto', 'required']), namedToolChoice]).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: responseFormat.nullish(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish(),
  user: z.string().nullish(),
  safety_identifier: z.string().nullish(),
  // Said of bookkeeping and caches at OpenAI itself: they change no answer, and the caller is told that they went unused.
  metadata: z.unknown().optional(),
  prompt_cache_key: z.unknown().optional(),
  prompt_cache_retention: z.unknown().optional(),
  prompt_cache_options: z.unknown().optional(),
  // Values that ask for what is done anyway.
  n: onlyWhere(z.literal(1)),
  logprobs: onlyWhere(z.literal(false)),
  top_logprobs: onlyWhere(z.literal(0)),
  logit_bias: onlyWhere(z.strictObject({})),
  modalities: onlyWhere(z.tuple([z.literal('text')])),
  store: onlyWhere(z.literal(false)),
  service_tier: onlyWhere(z.enum(['auto', 'default'])),
  verbosity: onlyWhere(z.literal('medium')),
  functions: onlyWhere(z.tuple([])),
})

export type ChatBody = z.infer<typeof chatBody>
export type ChatMessage = z.infer<typeof message>
export type ChatUserPart = z.infer<typeof userPart>
export type ChatTool = z.infer<typeof functionTool>
export type CacheMarks = z.infer<z.ZodObject<typeof cacheMarks>>
