import { z } from 'zod'
import { exactObject, neverCarried, onlyWhere } from '#gateway/translation/exact-object.ts'

/**
 * What of a request of Anthropic's Messages can be said to upstreams of other protocols.
 * https://docs.claude.com/en/api/messages (2026-11), and the types of its SDK 1.11.
 */

const cacheControl = z
  // `scope` tells Anthropic's own cache who may share an entry; elsewhere each account has its own.
  .looseObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).nullish() })
  .nullish()

const marks = { cache_control: cacheControl }

const textBlock = exactObject({
  type: z.literal('text'),
  text: z.string(),
  // What an answer held beside its text, sent back as it was.
  citations: z.unknown().optional(),
  ...marks,
})

const base64Source = exactObject({
  type: z.literal('base64'),
  media_type: z.string().min(1),
  data: z.string(),
})
const urlSource = exactObject({ type: z.literal('url'), url: z.string() })
const textSource = exactObject({
  type: z.literal('text'),
  media_type: z.literal('text/plain').nullish(),
  data: z.string(),
})

const imageBlock = exactObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [base64Source, urlSource]),
  ...marks,
})

const documentBlock = exactObject({
  type: z.literal('document'),
  source: z.discriminatedUnion('type', [base64Source, urlSource, textSource]),
  title: z.string().nullish(),
  context: z.string().nullish(),
  citations: onlyWhere(z.looseObject({ enabled: z.literal(false).nullish() })),
  ...marks,
})

const toolUseBlock = exactObject({
  type: z.literal('tool_use'),
  id: z.string().min(1),
  name: z.string().min(1),
  input: z.record(z.string(), z.unknown()),
  // Said of calls that other tools of Anthropic's made; a direct call needs no saying.
  caller: onlyWhere(z.looseObject({ type: z.literal('direct') })),
  ...marks,
})

const resultBlock = z.discriminatedUnion('type', [textBlock, imageBlock, documentBlock])

const toolResultBlock = exactObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().min(1),
  content: z.union([z.string(), z.array(resultBlock)]).nullish(),
  is_error: z.boolean().nullish(),
  ...marks,
})

const thinkingBlock = exactObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().nullish(),
})
const redactedBlock = exactObject({ type: z.literal('redacted_thinking'), data: z.string() })

const userBlock = z.discriminatedUnion('type', [textBlock, imageBlock, documentBlock, toolResultBlock])
const assistantBlock = z.discriminatedUnion('type', [textBlock, toolUseBlock, thinkingBlock, redactedBlock])

const message = z.discriminatedUnion('role', [
  exactObject({ role: z.literal('user'), content: z.union([z.string(), z.array(userBlock)]) }),
  exactObject({ role: z.literal('assistant'), content: z.union([z.string(), z.array(assistantBlock)]) }),
  exactObject({ role: z.literal('system'), content: z.union([z.string(), z.array(textBlock)]) }),
])

const tool = exactObject({
  type: onlyWhere(z.literal('custom')),
  name: z.string().min(1),
  description: z.string().nullish(),
  input_schema: z.record(z.string(), z.unknown()),
  strict: z.boolean().nullish(),
  input_examples: z.array(z.record(z.string(), z.unknown())).nullish(),
  // How arguments are streamed, which every upstream does in its own way.
  eager_input_streaming: z.boolean().nullish(),
  defer_loading: onlyWhere(z.literal(false)),
  allowed_callers: onlyWhere(z.tuple([z.literal('direct')])),
  ...marks,
})

const parallel = { disable_parallel_tool_use: z.boolean().nullish() }
const toolChoice = z.discriminatedUnion('type', [
  exactObject({ type: z.literal('auto'), ...parallel }),
  exactObject({ type: z.literal('any'), ...parallel }),
  exactObject({ type: z.literal('tool'), name: z.string().min(1), ...parallel }),
  exactObject({ type: z.literal('none') }),
])

const thinking = z.discriminatedUnion('type', [
  exactObject({
    type: z.literal('enabled'),
    budget_tokens: z.number().int().min(1),
    display: z.string().nullish(),
  }),
  exactObject({ type: z.literal('adaptive'), display: z.string().nullish() }),
  exactObject({ type: z.literal('disabled') }),
])

const outputFormat = exactObject({
  type: z.literal('json_schema'),
  schema: z.record(z.string(), z.unknown()),
})

export const messagesBody = exactObject({
  model: z.string(),
  messages: z.array(message).min(1),
  max_tokens: z.number().int().min(1),
  system: z.union([z.string(), z.array(textBlock)]).nullish(),
  stream: z.boolean().nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  top_k: z.number().int().nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  thinking: thinking.nullish(),
  metadata: exactObject({ user_id: z.string().nullish() }).nullish(),
  output_config: exactObject({
    effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
    format: outputFormat.nullish(),
  }).nullish(),
  cache_control: cacheControl,
  // Housekeeping of long conversations at Anthropic itself: it changes no answer as long as there is room for all of it.
  context_management: z.unknown().optional(),
  // Values that ask for what is done anyway.
  service_tier: onlyWhere(z.enum(['auto', 'standard_only'])),
  speed: onlyWhere(z.literal('standard')),
  container: neverCarried,
  mcp_servers: onlyWhere(z.tuple([])),
})

export type MessagesBody = z.infer<typeof messagesBody>
export type Message = z.infer<typeof message>
export type UserBlock = z.infer<typeof userBlock>
export type AssistantBlock = z.infer<typeof assistantBlock>
export type ResultBlock = z.infer<typeof resultBlock>
export type TextBlock = z.infer<typeof textBlock>
export type ToolResultBlock = z.infer<typeof toolResultBlock>
export type MessagesTool = z.infer<typeof tool>
export type CacheMarks = z.infer<z.ZodObject<typeof marks>>
