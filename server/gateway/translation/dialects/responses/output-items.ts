import type { LanguageModelV4Content, LanguageModelV4Source } from '@ai-sdk/provider'
import type { NeutralAnswer } from '#gateway/translation/dialect.ts'
import { sealTokens } from '#gateway/translation/provider-tokens.ts'

/** The items that an answer of OpenAI's Responses is made of. */

export type OutputItem = { readonly id: string; readonly type: string } & Readonly<Record<string, unknown>>

export function outputText(text: string, annotations: readonly object[] = []) {
  return { type: 'output_text', text, annotations, logprobs: [] }
}

export function messageItem(id: string, content: readonly object[], status = 'completed'): OutputItem {
  return { id, type: 'message', status, role: 'assistant', content }
}

/** What was thought is told as a summary, which is what callers show; the tokens are opaque to them. */
export function reasoningItem(id: string, text: string, sealed: string | null): OutputItem {
  const summary = text === '' ? [] : [{ type: 'summary_text', text }]
  return { id, type: 'reasoning', summary, ...(sealed === null ? {} : { encrypted_content: sealed }) }
}

export type Call = { readonly callId: string; readonly name: string; readonly arguments: string }

export function callItem(id: string, call: Call, status = 'completed'): OutputItem {
  const { callId, name } = call
  return { id, type: 'function_call', status, call_id: callId, name, arguments: call.arguments }
}

/** A page that an answer refers to; documents have no place among OpenAI's annotations. */
export function urlCitation(
  source: LanguageModelV4Source,
  at?: { readonly startIndex?: number; readonly endIndex?: number },
): object[] {
  if (source.sourceType !== 'url') return []
  const { url, title = url } = source
  return [
    { type: 'url_citation', url, title, start_index: at?.startIndex ?? 0, end_index: at?.endIndex ?? 0 },
  ]
}

/** All items of a whole answer. Texts that follow one another are one message. */
export function outputItems(
  { content, structuredOutputText }: NeutralAnswer,
  itemId: (kind: ItemKind) => string,
): OutputItem[] {
  const items: OutputItem[] = []
  let texts: object[] = []
  const endMessage = () => {
    if (texts.length > 0) items.push(messageItem(itemId('msg'), texts))
    texts = []
  }
  for (const part of content) {
    if (part.type === 'text') {
      if (structuredOutputText === undefined && part.text !== '') texts.push(toText(part))
      continue
    }
    const made = toItems(part, itemId)
    if (made.length > 0) endMessage()
    items.push(...made)
  }
  // The text that was asked for stands in the place of all texts.
  if (structuredOutputText !== undefined) texts.push(outputText(structuredOutputText))
  endMessage()
  return items
}

export type ItemKind = 'msg' | 'rs' | 'fc'

function toText({ text, citations = [] }: Extract<LanguageModelV4Content, { type: 'text' }>): object {
  return outputText(
    text,
    citations.flatMap(citation => urlCitation(citation.source, citation)),
  )
}

function toItems(part: LanguageModelV4Content, itemId: (kind: ItemKind) => string): OutputItem[] {
  switch (part.type) {
    case 'reasoning': {
      const sealed = sealTokens(part.providerMetadata)
      return part.text === '' && sealed === null ? [] : [reasoningItem(itemId('rs'), part.text, sealed)]
    }
    case 'tool-call': {
      const sealed = sealTokens(part.providerMetadata)
      const call = { callId: part.toolCallId, name: part.toolName, arguments: part.input }
      const item = callItem(itemId('fc'), call)
      // What the upstream wants back with a call goes before it, in an item that callers send back unread.
      return sealed === null ? [item] : [reasoningItem(itemId('rs'), '', sealed), item]
    }
    default:
      return []
  }
}
