import type { LanguageModelV4Citation } from '@ai-sdk/provider'
import type {
  AnswerPart,
  NeutralAnswer,
  RenderContext,
  StreamRenderer,
} from '#gateway/translation/dialect.ts'
import { sealTokens } from '#gateway/translation/provider-tokens.ts'
import { OpenItem } from './open-item.ts'
import {
  callItem,
  messageItem,
  type OutputItem,
  outputText,
  reasoningItem,
  urlCitation,
} from './output-items.ts'
import { createItemIds, type Echo, endingOf, type ResponseState, responseObject } from './response-object.ts'

/** Writes the events of a response of OpenAI's Responses, whose items follow one another. */
export class ResponsesRenderer implements StreamRenderer {
  readonly #context: RenderContext
  readonly #echo: Echo
  readonly #itemId: ReturnType<typeof createItemIds>
  readonly #open = new Map<string, OpenItem>()
  readonly #done: OutputItem[] = []
  readonly #doneCalls = new Set<string>()
  #items = 0
  #eventNumber = 0

  constructor(context: RenderContext, echo: Echo) {
    this.#context = context
    this.#echo = echo
    this.#itemId = createItemIds(context)
  }

  get nextEventNumber(): number {
    return this.#eventNumber
  }

  begin(): string {
    const response = this.#response('in_progress', [])
    return this.#event('response.created', { response }) + this.#event('response.in_progress', { response })
  }

  render(part: AnswerPart): string {
    switch (part.type) {
      case 'text-delta':
        return part.delta === '' ? '' : this.#textDelta(part.id, part.delta)
      case 'text-end':
        return this.#endText(part.id, part.citations ?? [])
      case 'reasoning-start':
      case 'reasoning-delta':
        return this.#reasoningDelta(part)
      case 'reasoning-end':
        return this.#endReasoning(part)
      case 'tool-input-start':
        return this.#beginCall(part.id, part)
      case 'tool-input-delta':
        return this.#callDelta(part.id, part.delta)
      case 'tool-call':
        return this.#endCall(part)
      default:
        return ''
    }
  }

  finish({ finishReason, usage }: Pick<NeutralAnswer, 'finishReason' | 'usage'>): string {
    const open = [...this.#open].map(([id, item]) => this.#endOpen(id, item)).join('')
    const { status, incompleteReason } = endingOf(finishReason)
    const output = this.#done.filter(item => item !== undefined)
    const { context, echo } = { context: this.#context, echo: this.#echo }
    const response = responseObject({ context, echo, status, incompleteReason, output, usage })
    return open + this.#event(`response.${status}`, { response })
  }

  #response(status: ResponseState, output: readonly OutputItem[]) {
    return responseObject({ context: this.#context, echo: this.#echo, status, output, usage: null })
  }

  #event(type: string, members: object): string {
    const data = JSON.stringify({ type, sequence_number: this.#eventNumber++, ...members })
    return `event: ${type}\ndata: ${data}\n\n`
  }

  /** A delta, of which there are many: only what differs is written anew. */
  #delta(type: string, { place }: OpenItem, delta: string): string {
    const number = this.#eventNumber++
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${number},${place},"delta":${JSON.stringify(delta)}}\n\n`
  }

  #begin(key: string, item: OpenItem, shown: OutputItem): string {
    this.#open.set(key, item)
    return this.#event('response.output_item.added', { output_index: item.outputIndex, item: shown })
  }

  #end(key: string, { outputIndex }: OpenItem, item: OutputItem): string {
    this.#open.delete(key)
    this.#done[outputIndex] = item
    return this.#event('response.output_item.done', { output_index: outputIndex, item })
  }

  #endOpen(key: string, item: OpenItem): string {
    switch (item.kind) {
      case 'msg':
        return this.#endText(key, [])
      case 'rs':
        return this.#endReasoning({ id: key })
      case 'fc':
        return this.#closeCall(key, item)
    }
  }

  #textDelta(key: string, delta: string): string {
    const known = this.#open.get(key)
    const item = known ?? new OpenItem('msg', this.#itemId('msg'), this.#items++)
    item.text += delta
    const added = known
      ? ''
      : this.#begin(key, item, messageItem(item.id, [], 'in_progress')) +
        this.#event('response.content_part.added', { ...item.at('content_index'), part: outputText('') })
    return added + this.#delta('response.output_text.delta', item, delta)
  }

  #endText(key: string, citations: readonly LanguageModelV4Citation[]): string {
    const item = this.#open.get(key)
    if (!item) return ''
    const at = item.at('content_index')
    const part = outputText(
      item.text,
      citations.flatMap(citation => urlCitation(citation.source, citation)),
    )
    return (
      this.#event('response.output_text.done', { ...at, text: item.text, logprobs: [] }) +
      this.#event('response.content_part.done', { ...at, part }) +
      this.#end(key, item, messageItem(item.id, [part]))
    )
  }

  #reasoningDelta(part: Extract<AnswerPart, { type: 'reasoning-start' | 'reasoning-delta' }>): string {
    const known = this.#open.get(part.id)
    const item = known ?? new OpenItem('rs', this.#itemId('rs'), this.#items++)
    Object.assign(item.metadata, part.providerMetadata)
    const added = known ? '' : this.#begin(part.id, item, reasoningItem(item.id, '', null))
    const delta = part.type === 'reasoning-delta' ? part.delta : ''
    if (delta === '') return added
    const first =
      item.text === ''
        ? this.#event('response.reasoning_summary_part.added', {
            ...item.at('summary_index'),
            part: { type: 'summary_text', text: '' },
          })
        : ''
    item.text += delta
    return added + first + this.#delta('response.reasoning_summary_text.delta', item, delta)
  }

  #endReasoning({
    id: key,
    providerMetadata,
  }: Pick<Extract<AnswerPart, { type: 'reasoning-end' }>, 'id' | 'providerMetadata'>): string {
    const item = this.#open.get(key)
    if (!item) return ''
    const { text } = item
    const at = item.at('summary_index')
    const summary =
      text === ''
        ? ''
        : this.#event('response.reasoning_summary_text.done', { ...at, text }) +
          this.#event('response.reasoning_summary_part.done', { ...at, part: { type: 'summary_text', text } })
    const sealed = sealTokens({ ...item.metadata, ...providerMetadata })
    return summary + this.#end(key, item, reasoningItem(item.id, text, sealed))
  }

  #beginCall(
    key: string,
    {
      toolName,
      providerMetadata,
    }: Pick<Extract<AnswerPart, { type: 'tool-input-start' }>, 'toolName' | 'providerMetadata'>,
  ): string {
    const sealed = sealTokens(providerMetadata)
    const tokens = sealed === null ? '' : this.#callTokens(sealed)
    const item = new OpenItem('fc', this.#itemId('fc'), this.#items++, toolName)
    return tokens + this.#begin(key, item, callItem(item.id, item.call(key), 'in_progress'))
  }

  /** What the upstream wants back with a call goes before it, in an item that callers send back unread. */
  #callTokens(sealed: string): string {
    const item = new OpenItem('rs', this.#itemId('rs'), this.#items++)
    const shown = reasoningItem(item.id, '', sealed)
    return this.#begin(item.id, item, reasoningItem(item.id, '', null)) + this.#end(item.id, item, shown)
  }

  #callDelta(key: string, delta: string): string {
    const item = this.#open.get(key)
    if (!item || delta === '') return ''
    item.text += delta
    return this.#delta('response.function_call_arguments.delta', item, delta)
  }

  /** The whole call: what of it has not gone out in pieces goes out now. */
  #endCall(part: Extract<AnswerPart, { type: 'tool-call' }>): string {
    const { toolCallId: key, input } = part
    if (this.#doneCalls.has(key)) return ''
    this.#doneCalls.add(key)
    const begun = this.#open.has(key) ? '' : this.#beginCall(key, part)
    const item = this.#open.get(key)
    if (!item) return begun
    const rest = item.text === '' ? this.#callDelta(key, input) : ''
    return begun + rest + this.#closeCall(key, item)
  }

  #closeCall(key: string, item: OpenItem): string {
    return (
      this.#event('response.function_call_arguments.done', {
        item_id: item.id,
        output_index: item.outputIndex,
        name: item.name,
        arguments: item.text,
      }) + this.#end(key, item, callItem(item.id, item.call(key)))
    )
  }
}
