import type { LanguageModelV4Content, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import type { NeutralAnswer, RenderContext } from '#gateway/translation/dialect.ts'
import { chatUsage } from './chat-usage.ts'
import { answeredImage, reasoningDetail, toolCallTokens, urlCitation } from './content-details.ts'
import { chatFinishReason } from './finish-reason.ts'

/** A whole answer as an OpenAI chat completion. */
export function renderChatReply(answer: NeutralAnswer, context: RenderContext): string {
  return JSON.stringify({
    id: chatId(context),
    object: 'chat.completion',
    created: Math.floor(context.nowMs / 1000),
    model: context.model,
    choices: [
      {
        index: 0,
        message: message(answer),
        logprobs: null,
        finish_reason: chatFinishReason(answer.finishReason),
      },
    ],
    ...(answer.usage === null ? {} : { usage: chatUsage(answer.usage) }),
  })
}

export function chatId({ requestId }: RenderContext): string {
  return `chatcmpl-${requestId}`
}

function message({ content, structuredOutputText }: NeutralAnswer): object {
  const text =
    structuredOutputText ??
    ofType(content, 'text')
      .map(part => part.text)
      .join('')
  const calls = ofType(content, 'tool-call')
  const reasonings = ofType(content, 'reasoning')
  const reasoning = reasonings.map(part => part.text).join('')
  return {
    role: 'assistant',
    // Without a text, but with calls of tools, there is no content; without either, it is empty.
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...list(
      'reasoning_details',
      reasonings.map((part, index) => reasoningDetail(part.text, part.providerMetadata, index)),
    ),
    ...list('tool_calls', calls.map(toToolCall)),
    ...list('annotations', annotations(content)),
    ...list('images', ofType(content, 'file').map(answeredImage)),
  }
}

function ofType<Type extends LanguageModelV4Content['type']>(
  content: readonly LanguageModelV4Content[],
  type: Type,
): Extract<LanguageModelV4Content, { type: Type }>[] {
  return content.filter((part): part is Extract<LanguageModelV4Content, { type: Type }> => part.type === type)
}

/** A member that holds a list, where there is anything to list. */
function list(name: string, items: readonly (object | null)[]): object {
  const present = items.filter(item => item !== null)
  return present.length === 0 ? {} : { [name]: present }
}

function toToolCall({ toolCallId, toolName, input, providerMetadata }: LanguageModelV4ToolCall): object {
  return {
    id: toolCallId,
    type: 'function',
    function: { name: toolName, arguments: input },
    ...toolCallTokens(providerMetadata),
  }
}

/** Citations of a text say more than the bare sources, which upstreams often list beside them. */
function annotations(content: readonly LanguageModelV4Content[]): (object | null)[] {
  const cited = ofType(content, 'text').flatMap(part => part.citations ?? [])
  return cited.length > 0
    ? cited.map(citation => urlCitation(citation.source, citation))
    : ofType(content, 'source').map(source => urlCitation(source))
}
