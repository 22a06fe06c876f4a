import type { SharedV4ProviderMetadata } from '@ai-sdk/provider'
import type {
  AnswerPart,
  NeutralAnswer,
  RenderContext,
  StreamRenderer,
} from '#gateway/translation/dialect.ts'
import { sealTokens } from '#gateway/translation/provider-tokens.ts'
import { emptyMessage, messagesUsage, redactedThinking, stopReason } from './messages-reply.ts'

type OpenBlock = { readonly index: number; hasInput: boolean }

/** Writes the events of a message of Anthropic's API, whose blocks follow one another. */
export class MessagesRenderer implements StreamRenderer {
  readonly #context: RenderContext
  readonly #open = new Map<string, OpenBlock>()
  /** What thinking that goes on has brought beside its words. */
  readonly #thinking = new Map<string, SharedV4ProviderMetadata>()
  readonly #doneCalls = new Set<string>()
  #blocks = 0

  constructor(context: RenderContext) {
    this.#context = context
  }

  begin(): string {
    const message = { ...emptyMessage(this.#context), usage: messagesUsage(null) }
    return namedEvent('message_start', JSON.stringify({ type: 'message_start', message }))
  }

  render(part: AnswerPart): string {
    switch (part.type) {
      case 'text-delta':
        return part.delta === '' ? '' : this.#textDelta(part.id, part.delta)
      case 'text-end':
        return this.#close(part.id)
      case 'reasoning-start':
        // The block begins with its first word: one that has none is redacted.
        this.#thinking.set(part.id, { ...part.providerMetadata })
        return ''
      case 'reasoning-delta':
        return this.#thinkingDelta(part)
      case 'reasoning-end':
        return this.#endThinking(part)
      case 'tool-input-start':
        return this.#beginCall(part.id, part.toolName, part.providerMetadata)
      case 'tool-input-delta':
        return this.#inputDelta(part.id, part.delta)
      case 'tool-input-end':
        return ''
      case 'tool-call':
        return this.#endCall(part)
      default:
        return ''
    }
  }

  finish({ finishReason, usage }: Pick<NeutralAnswer, 'finishReason' | 'usage'>): string {
    const open = [...this.#open.keys()].map(id => this.#close(id)).join('')
    const delta = { stop_reason: stopReason(finishReason), stop_sequence: null }
    const last = JSON.stringify({ type: 'message_delta', delta, usage: messagesUsage(usage) })
    return `${open}${namedEvent('message_delta', last)}${namedEvent('message_stop', '{"type":"message_stop"}')}`
  }

  #begin(id: string, block: object): string {
    const index = this.#blocks++
    this.#open.set(id, { index, hasInput: false })
    const data = `{"type":"content_block_start","index":${index},"content_block":${JSON.stringify(block)}}`
    return namedEvent('content_block_start', data)
  }

  #delta({ index }: OpenBlock, delta: string): string {
    return namedEvent(
      'content_block_delta',
      `{"type":"content_block_delta","index":${index},"delta":${delta}}`,
    )
  }

  #close(id: string): string {
    const block = this.#open.get(id)
    if (!block) return ''
    this.#open.delete(id)
    return namedEvent('content_block_stop', `{"type":"content_block_stop","index":${block.index}}`)
  }

  #textDelta(id: string, text: string): string {
    const begun = this.#open.has(id) ? '' : this.#begin(id, { type: 'text', text: '' })
    const block = this.#open.get(id)
    return block
      ? `${begun}${this.#delta(block, `{"type":"text_delta","text":${JSON.stringify(text)}}`)}`
      : ''
  }

  #thinkingDelta({ id, delta, providerMetadata }: Extract<AnswerPart, { type: 'reasoning-delta' }>): string {
    const metadata = { ...this.#thinking.get(id), ...providerMetadata }
    this.#thinking.set(id, metadata)
    if (delta === '') return ''
    const begun = this.#open.has(id) ? '' : this.#begin(id, { type: 'thinking', thinking: '', signature: '' })
    const block = this.#open.get(id)
    if (!block) return ''
    return `${begun}${this.#delta(block, `{"type":"thinking_delta","thinking":${JSON.stringify(delta)}}`)}`
  }

  /** What the upstream wants back goes out when the whole of a block is known. */
  #endThinking({ id, providerMetadata }: Extract<AnswerPart, { type: 'reasoning-end' }>): string {
    const sealed = sealTokens({ ...this.#thinking.get(id), ...providerMetadata })
    this.#thinking.delete(id)
    const block = this.#open.get(id)
    if (!block) return sealed === null ? '' : this.#redacted(sealed)
    const signature =
      sealed === null ? '' : this.#delta(block, `{"type":"signature_delta","signature":"${sealed}"}`)
    return signature + this.#close(id)
  }

  #redacted(sealed: string): string {
    const id = `redacted-${this.#blocks}`
    return this.#begin(id, redactedThinking(sealed)) + this.#close(id)
  }

  #beginCall(id: string, name: string, metadata: SharedV4ProviderMetadata | undefined): string {
    const sealed = sealTokens(metadata)
    const tokens = sealed === null ? '' : this.#redacted(sealed)
    return tokens + this.#begin(id, { type: 'tool_use', id, name, input: {} })
  }

  #inputDelta(id: string, text: string): string {
    const block = this.#open.get(id)
    if (!block || text === '') return ''
    block.hasInput = true
    return this.#delta(block, `{"type":"input_json_delta","partial_json":${JSON.stringify(text)}}`)
  }

  /** The whole call: what of it has not gone out in pieces goes out now. */
  #endCall(part: Extract<AnswerPart, { type: 'tool-call' }>): string {
    const { toolCallId: id, toolName, input, providerMetadata } = part
    if (this.#doneCalls.has(id)) return ''
    this.#doneCalls.add(id)
    const begun = this.#open.has(id) ? '' : this.#beginCall(id, toolName, providerMetadata)
    const rest = this.#open.get(id)?.hasInput ? '' : this.#inputDelta(id, input === '{}' ? '' : input)
    return begun + rest + this.#close(id)
  }
}

function namedEvent(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`
}
