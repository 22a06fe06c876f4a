import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { atField } from '#gateway/translation/neutral-call.ts'
import { isOfCall, openTokens } from '#gateway/translation/provider-tokens.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { readParts } from './read-parts.ts'
import type { OutputPart, ResponsesBody, ResponsesItem } from './responses-body.ts'

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']
type Item<Type extends string> = Extract<ResponsesItem, { type: Type }>

/** Reads the instructions and the items of the input into a prompt; `unused` takes what can't be said on. */
export function readInput(
  { instructions, input }: Pick<ResponsesBody, 'instructions' | 'input'>,
  unused: string[],
): Outcome<LanguageModelV4Prompt, ServiceError> {
  const reader = new InputReader(unused)
  if (instructions) reader.prompt.push(systemMessage(instructions, 'instructions'))
  if (typeof input === 'string') {
    reader.prompt.push({ role: 'user', content: [{ type: 'text', text: input }] })
    return accepted(reader.prompt)
  }
  for (const [index, item] of input.entries()) {
    const refusal = reader.read(item, `input.${index}`)
    if (refusal) return refused(refusal)
  }
  return accepted(reader.prompt)
}

function systemMessage(content: string, field: string): LanguageModelV4Message {
  return { role: 'system', content, providerOptions: atField(field) }
}

/** Goes from item to item: several of them can make up one turn of the model, and one message of results. */
class InputReader {
  readonly prompt: LanguageModelV4Prompt = []
  readonly #unused: string[]
  /** Names of the tools that were called, by the ids of their calls: results are given by id alone. */
  readonly #toolNames = new Map<string, string>()
  /** What the upstream wants back with the next call. */
  #callTokens: SharedV4ProviderOptions | undefined

  constructor(unused: string[]) {
    this.#unused = unused
  }

  /** Takes an item; gives the refusal of one that can't be read. */
  read(item: ResponsesItem, field: string): ServiceError | null {
    switch (item.type) {
      case 'message':
        return this.#readMessage(item, field)
      case 'reasoning':
        this.#readReasoning(item)
        return null
      case 'function_call':
        return this.#readCall(item, field)
      case 'function_call_output':
        return this.#readResult(item, field)
    }
  }

  #readMessage(item: Item<'message'>, field: string): ServiceError | null {
    switch (item.role) {
      case 'system':
      case 'developer': {
        const { content } = item
        const texts = typeof content === 'string' ? [content] : content.map(part => part.text)
        this.prompt.push(...texts.map(text => systemMessage(text, field)))
        return null
      }
      case 'assistant':
        this.#say(readTexts(item.content))
        return null
      case 'user': {
        const { content } = item
        const parts = typeof content === 'string' ? [{ type: 'input_text' as const, text: content }] : content
        const read = readParts(parts, { field: `${field}.content`, unused: this.#unused })
        if (!read.ok) return read.refusal
        this.prompt.push({ role: 'user', content: read.value })
        return null
      }
    }
  }

  #readReasoning({ summary, content, encrypted_content: sealed }: Item<'reasoning'>): void {
    const tokens = openTokens(sealed ?? '')
    const text = [...(content ?? []), ...(summary ?? [])].map(part => part.text).join('\n\n')
    if (tokens && text === '' && isOfCall(tokens)) this.#callTokens = tokens
    else if (tokens || text !== '') {
      this.#say([{ type: 'reasoning', text, ...(tokens ? { providerOptions: tokens } : {}) }])
    }
  }

  #readCall({ call_id: toolCallId, name: toolName, arguments: text }: Item<'function_call'>, field: string) {
    const input = parseArguments(text)
    if (input === undefined) {
      return refusals.invalid(`${field}.arguments: must hold a JSON object as text`)
    }
    this.#toolNames.set(toolCallId, toolName)
    const tokens = this.#callTokens
    this.#callTokens = undefined
    this.#say([
      { type: 'tool-call', toolCallId, toolName, input, ...(tokens ? { providerOptions: tokens } : {}) },
    ])
    return null
  }

  #readResult(item: Item<'function_call_output'>, field: string): ServiceError | null {
    const { call_id: toolCallId, output } = item
    const toolName = this.#toolNames.get(toolCallId) ?? item.name
    if (toolName == null) {
      return refusals.invalid(`${field}.call_id: no function call of that id stands before it`)
    }
    const read = this.#readOutput(output, `${field}.output`)
    if (!read.ok) return read.refusal
    const result = { type: 'tool-result' as const, toolCallId, toolName, output: read.value }
    const last = this.prompt.at(-1)
    if (last?.role === 'tool') last.content.push(result)
    else this.prompt.push({ role: 'tool', content: [result] })
    return null
  }

  #readOutput(
    output: Item<'function_call_output'>['output'],
    field: string,
  ): Outcome<LanguageModelV4ToolResultOutput, ServiceError> {
    if (typeof output === 'string') return accepted({ type: 'text', value: output })
    const parts = readParts(output, { field, unused: this.#unused })
    return parts.ok ? accepted({ type: 'content', value: parts.value }) : parts
  }

  #say(content: AssistantContent): void {
    if (content.length === 0) return
    const last = this.prompt.at(-1)
    if (last?.role === 'assistant') last.content.push(...content)
    else this.prompt.push({ role: 'assistant', content: [...content] })
  }
}

function readTexts(content: string | readonly OutputPart[]): AssistantContent {
  const texts =
    typeof content === 'string'
      ? [content]
      : content.map(part => (part.type === 'refusal' ? part.refusal : part.text))
  return texts.flatMap(text => (text === '' ? [] : [{ type: 'text' as const, text }]))
}

function parseArguments(text: string): unknown {
  // Models that call a tool without arguments often leave them empty.
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
