import type { LanguageModelV4Citation, SharedV4ProviderMetadata } from '@ai-sdk/provider'
import type {
  AnswerPart,
  NeutralAnswer,
  RenderContext,
  StreamRenderer,
} from '#gateway/translation/dialect.ts'
import { chatId } from './chat-reply.ts'
import { chatUsage } from './chat-usage.ts'
import { answeredImage, reasoningDetail, toolCallTokens, urlCitation } from './content-details.ts'
import { chatFinishReason } from './finish-reason.ts'

const DONE = 'data: [DONE]\n\n'

type OpenTool = { readonly index: number; hasArguments: boolean }
type OpenReasoning = { text: string; metadata: SharedV4ProviderMetadata }

/** Writes the chunks of an OpenAI chat stream. What is the same in every chunk is written once. */
export class ChatRenderer implements StreamRenderer {
  readonly #head: string
  readonly #tail: string
  readonly #asksForUsage: boolean
  readonly #tools = new Map<string, OpenTool>()
  readonly #reasonings = new Map<string, OpenReasoning>()
  /** Pages that the upstream looked at, until it is known whether its text cites them. */
  readonly #sources = new Map<string, object>()
  readonly #cited = new Set<string>()
  #reasoningIndex = 0

  constructor(context: RenderContext, asksForUsage: boolean) {
    const head = JSON.stringify({
      id: chatId(context),
      object: 'chat.completion.chunk',
      created: Math.floor(context.nowMs / 1000),
      model: context.model,
    })
    this.#head = `data: ${head.slice(0, -1)},"choices":[`
    // Who asks for usage is told in every chunk that it is not there yet.
    this.#tail = asksForUsage ? '],"usage":null}\n\n' : ']}\n\n'
    this.#asksForUsage = asksForUsage
  }

  begin(): string {
    return this.#chunk('{"role":"assistant","content":"","refusal":null}')
  }

  render(part: AnswerPart): string {
    switch (part.type) {
      case 'text-delta':
        return part.delta === '' ? '' : this.#chunk(`{"content":${JSON.stringify(part.delta)}}`)
      case 'text-end':
        return this.#citations(part.citations ?? [])
      case 'reasoning-start':
        this.#reasonings.set(part.id, { text: '', metadata: { ...part.providerMetadata } })
        return ''
      case 'reasoning-delta':
        return this.#reasoningDelta(part)
      case 'reasoning-end':
        return this.#reasoningEnd(part)
      case 'tool-input-start':
        return this.#toolStart(part.id, part.toolName)
      case 'tool-input-delta':
        return this.#toolDelta(part)
      case 'tool-call':
        return this.#toolCall(part)
      case 'source':
        return this.#noteSource(part)
      case 'file':
        return this.#detail('images', [answeredImage(part)])
      default:
        return ''
    }
  }

  finish({ finishReason, usage }: Pick<NeutralAnswer, 'finishReason' | 'usage'>): string {
    const reason = JSON.stringify(chatFinishReason(finishReason))
    const uncited = [...this.#sources].flatMap(([url, source]) => (this.#cited.has(url) ? [] : [source]))
    const last = this.#detail('annotations', uncited) + this.#chunk('{}', reason)
    if (!this.#asksForUsage || usage === null) return last + DONE
    return `${last}${this.#head}],"usage":${JSON.stringify(chatUsage(usage))}}\n\n${DONE}`
  }

  #chunk(delta: string, finishReason = 'null'): string {
    return `${this.#head}{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finishReason}}${this.#tail}`
  }

  #detail(name: string, items: readonly (object | null)[]): string {
    const present = items.filter(item => item !== null)
    return present.length === 0 ? '' : this.#chunk(JSON.stringify({ [name]: present }))
  }

  #noteSource(source: Extract<AnswerPart, { type: 'source' }>): string {
    const citation = urlCitation(source)
    if (citation && source.sourceType === 'url') this.#sources.set(source.url, citation)
    return ''
  }

  #citations(citations: readonly LanguageModelV4Citation[]): string {
    for (const { source } of citations) if (source.sourceType === 'url') this.#cited.add(source.url)
    return this.#detail(
      'annotations',
      citations.map(citation => urlCitation(citation.source, citation)),
    )
  }

  #reasoningDelta({ id, delta, providerMetadata }: Extract<AnswerPart, { type: 'reasoning-delta' }>): string {
    const open = this.#reasonings.get(id)
    if (open) {
      open.text += delta
      if (providerMetadata) Object.assign(open.metadata, providerMetadata)
    }
    return delta === '' ? '' : this.#chunk(`{"reasoning_content":${JSON.stringify(delta)}}`)
  }

  /** What the upstream wants back goes out when the whole of a block is known. */
  #reasoningEnd({ id, providerMetadata }: Extract<AnswerPart, { type: 'reasoning-end' }>): string {
    const open = this.#reasonings.get(id)
    if (!open) return ''
    this.#reasonings.delete(id)
    const metadata = { ...open.metadata, ...providerMetadata }
    return this.#detail('reasoning_details', [reasoningDetail(open.text, metadata, this.#reasoningIndex++)])
  }

  #toolStart(id: string, name: string): string {
    const index = this.#tools.size
    this.#tools.set(id, { index, hasArguments: false })
    const call = { index, id, type: 'function', function: { name, arguments: '' } }
    return this.#chunk(JSON.stringify({ tool_calls: [call] }))
  }

  #toolDelta({ id, delta }: Extract<AnswerPart, { type: 'tool-input-delta' }>): string {
    const tool = this.#tools.get(id)
    if (!tool || delta === '') return ''
    tool.hasArguments = true
    return this.#toolCalls(`{"index":${tool.index},"function":{"arguments":${JSON.stringify(delta)}}}`)
  }

  /** The whole call: what of it has not gone out in pieces goes out now. */
  #toolCall(part: Extract<AnswerPart, { type: 'tool-call' }>): string {
    const begun = this.#tools.has(part.toolCallId) ? '' : this.#toolStart(part.toolCallId, part.toolName)
    const tool = this.#tools.get(part.toolCallId)
    if (!tool) return begun
    const tokens = toolCallTokens(part.providerMetadata)
    const input = tool.hasArguments ? {} : { function: { arguments: part.input } }
    tool.hasArguments = true
    const rest = { ...input, ...tokens }
    if (Object.keys(rest).length === 0) return begun
    return begun + this.#toolCalls(JSON.stringify({ index: tool.index, ...rest }))
  }

  #toolCalls(call: string): string {
    return this.#chunk(`{"tool_calls":[${call}]}`)
  }
}
