import type { AnswerUsage, NeutralAnswer, RenderContext } from '#gateway/translation/dialect.ts'
import { type ItemKind, type OutputItem, outputItems } from './output-items.ts'
import type { ResponsesBody } from './responses-body.ts'

/** What of its request a response repeats: settings, and nothing that could be long. */
export type Echo = Pick<
  ResponsesBody,
  | 'max_output_tokens'
  | 'temperature'
  | 'top_p'
  | 'parallel_tool_calls'
  | 'tool_choice'
  | 'reasoning'
  | 'metadata'
  | 'user'
>

export type ResponseState = 'in_progress' | 'completed' | 'incomplete'

export type ResponseParts = {
  readonly context: RenderContext
  readonly echo: Echo
  readonly status: ResponseState
  readonly incompleteReason?: string | null
  readonly output: readonly OutputItem[]
  readonly usage: AnswerUsage | null
}

/** A response as OpenAI shapes it. */
export function responseObject(parts: ResponseParts) {
  const { context, echo, status, incompleteReason = null, output, usage } = parts
  return {
    id: `resp_${context.requestId}`,
    object: 'response',
    created_at: Math.floor(context.nowMs / 1000),
    status,
    background: false,
    error: null,
    incomplete_details: incompleteReason === null ? null : { reason: incompleteReason },
    // Long texts of the request are not repeated.
    instructions: null,
    max_output_tokens: echo.max_output_tokens ?? null,
    model: context.model,
    output,
    parallel_tool_calls: echo.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: echo.reasoning?.effort ?? null, summary: null },
    store: false,
    temperature: echo.temperature ?? null,
    text: { format: { type: 'text' } },
    tool_choice: echo.tool_choice ?? 'auto',
    tools: [],
    top_p: echo.top_p ?? null,
    truncation: 'disabled',
    usage: usage && responsesUsage(usage),
    user: echo.user ?? null,
    metadata: echo.metadata ?? {},
  }
}

/** Usage as OpenAI shows it: what was read from a cache or written into one is part of the input. */
function responsesUsage({ buckets, reasoningTokens }: AnswerUsage) {
  const inputTokens = buckets.input + buckets.cache_read + buckets.cache_write
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: buckets.cache_read, cache_write_tokens: buckets.cache_write },
    output_tokens: buckets.output,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + buckets.output,
  }
}

export type Ending = Pick<ResponseParts, 'status' | 'incompleteReason'>

/** An answer that was cut off is incomplete, and says why. */
export function endingOf({ unified }: NeutralAnswer['finishReason']): Ending {
  if (unified === 'length') return { status: 'incomplete', incompleteReason: 'max_output_tokens' }
  if (unified === 'content-filter') return { status: 'incomplete', incompleteReason: 'content_filter' }
  return { status: 'completed' }
}

/** Names the items of one response, one after another. */
export function createItemIds({ requestId }: RenderContext): (kind: ItemKind) => string {
  let made = 0
  return kind => `${kind}_${requestId}_${made++}`
}

/** A whole answer as a response. */
export function renderResponse(answer: NeutralAnswer, context: RenderContext, echo: Echo): string {
  const output = outputItems(answer, createItemIds(context))
  return JSON.stringify(
    responseObject({ context, echo, output, usage: answer.usage, ...endingOf(answer.finishReason) }),
  )
}
