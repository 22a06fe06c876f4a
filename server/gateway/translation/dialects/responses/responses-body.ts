import { z } from 'zod'
import { exactObject, neverCarried, onlyWhere } from '#gateway/translation/exact-object.ts'

/**
 * What of a request of OpenAI's Responses can be said to upstreams of other protocols.
 * https://platform.openai.com/docs/api-reference/responses/create (2026-11), and the types of its SDK 7.55.
 */

const id = z.string().nullish()
const status = z.string().nullish()

const inputText = exactObject({ type: z.literal('input_text'), text: z.string() })
const inputImage = exactObject({
  type: z.literal('input_image'),
  image_url: z.string().nullish(),
  file_id: neverCarried,
  detail: z.string().nullish(),
})
const inputFile = exactObject({
  type: z.literal('input_file'),
  file_data: z.string().nullish(),
  file_url: z.string().nullish(),
  file_id: neverCarried,
  filename: z.string().nullish(),
  detail: z.string().nullish(),
})
const outputText = exactObject({
  type: z.literal('output_text'),
  text: z.string(),
  // What an answer held beside its text, sent back as it was.
  annotations: z.unknown().optional(),
  logprobs: z.unknown().optional(),
})
const refusal = exactObject({ type: z.literal('refusal'), refusal: z.string() })

const inputPart = z.discriminatedUnion('type', [inputText, inputImage, inputFile])
const outputPart = z.discriminatedUnion('type', [outputText, refusal, inputText])

const messageType = z.literal('message')

const inputMessage = exactObject({
  type: messageType,
  role: z.literal('user'),
  content: z.union([z.string(), z.array(inputPart)]),
  id,
  status,
})
const systemMessage = exactObject({
  type: messageType,
  role: z.enum(['system', 'developer']),
  content: z.union([z.string(), z.array(inputText)]),
  id,
  status,
})
const outputMessage = exactObject({
  type: messageType,
  role: z.literal('assistant'),
  content: z.union([z.string(), z.array(outputPart)]),
  id,
  status,
  // Says which of several messages was meant as the answer; a turn of another protocol has one.
  phase: z.string().nullish(),
})

const functionCall = exactObject({
  type: z.literal('function_call'),
  call_id: z.string().min(1),
  name: z.string().min(1),
  arguments: z.string(),
  id,
  status,
  namespace: neverCarried,
  caller: onlyWhere(z.looseObject({ type: z.literal('direct') })),
})

const functionCallOutput = exactObject({
  type: z.literal('function_call_output'),
  call_id: z.string().min(1),
  output: z.union([z.string(), z.array(inputPart)]),
  id,
  status,
  name: z.string().nullish(),
  caller: onlyWhere(z.looseObject({ type: z.literal('direct') })),
})

const reasoning = exactObject({
  type: z.literal('reasoning'),
  id,
  status,
  summary: z.array(exactObject({ type: z.literal('summary_text'), text: z.string() })).nullish(),
  content: z.array(exactObject({ type: z.literal('reasoning_text'), text: z.string() })).nullish(),
  encrypted_content: z.string().nullish(),
})

const message = z.discriminatedUnion('role', [inputMessage, systemMessage, outputMessage])

/** Items may leave their type out only where they are messages. */
function withType(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'role' in item && !('type' in item)
    ? { ...item, type: 'message' }
    : item
}

const item = z.preprocess(
  withType,
  z.discriminatedUnion('type', [message, functionCall, functionCallOutput, reasoning]),
)

const functionTool = exactObject({
  type: z.literal('function'),
  name: z.string().min(1),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
  defer_loading: onlyWhere(z.literal(false)),
})

/** Tools of other types are run by OpenAI itself, or take texts of a grammar. */
const tool = z.discriminatedUnion('type', [functionTool])

const textFormat = z.discriminatedUnion('type', [
  exactObject({ type: z.literal('text') }),
  exactObject({ type: z.literal('json_object') }),
  exactObject({
    type: z.literal('json_schema'),
    name: z.string().nullish(),
    description: z.string().nullish(),
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean().nullish(),
  }),
])

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

export const responsesBody = exactObject({
  model: z.string(),
  input: z.union([z.string(), z.array(item)]),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  max_output_tokens: z.number().int().min(1).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      exactObject({ type: z.literal('function'), name: z.string().min(1) }),
    ])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  text: exactObject({
    format: textFormat.nullish(),
    verbosity: onlyWhere(z.literal('medium')),
  }).nullish(),
  reasoning: z.looseObject({ effort: z.enum(EFFORTS).nullish(), summary: z.string().nullish() }).nullish(),
  user: z.string().nullish(),
  safety_identifier: z.string().nullish(),
  metadata: z.record(z.string(), z.string().max(512)).nullish(),
  // What is told of an answer beside it: reasoning is told anyway, and all else belongs to tools of OpenAI's own.
  include: z.array(z.string()).nullish(),
  // Said of bookkeeping and caches at OpenAI itself: they change no answer, and the caller is told that they went unused.
  prompt_cache_key: z.unknown().optional(),
  prompt_cache_retention: z.unknown().optional(),
  prompt_cache_options: z.unknown().optional(),
  stream_options: z.unknown().optional(),
  max_tool_calls: z.unknown().optional(),
  // Needs something that the upstream keeps.
  previous_response_id: neverCarried,
  conversation: neverCarried,
  prompt: neverCarried,
  // Values that ask for what is done anyway.
  store: onlyWhere(z.literal(false)),
  background: onlyWhere(z.literal(false)),
  truncation: onlyWhere(z.literal('disabled')),
  service_tier: onlyWhere(z.enum(['auto', 'default'])),
  top_logprobs: onlyWhere(z.literal(0)),
})

export type ResponsesBody = z.infer<typeof responsesBody>
export type ResponsesItem = z.infer<typeof item>
export type InputPart = z.infer<typeof inputPart>
export type OutputPart = z.infer<typeof outputPart>
export type ResponsesTool = z.infer<typeof functionTool>
