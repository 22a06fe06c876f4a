import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { ServiceError } from '#contract/errors.ts'
import { atField } from '#gateway/translation/neutral-call.ts'
import { accepted, type Outcome } from '#lib/outcome.ts'
import { cacheOptions } from './cache-marks.ts'
import type { Message, MessagesBody, TextBlock, UserBlock } from './messages-body.ts'
import { readAssistant } from './read-assistant.ts'
import { type NeutralPart, readBlock } from './read-blocks.ts'
import { readToolResult } from './read-tool-result.ts'

/** What is found on the way from message to message. */
export type Reading = {
  /** Names of the tools that were called, by the ids of their calls: results are given by id alone. */
  readonly toolNames: Map<string, string>
  /** Members that are accepted and can't be said on. */
  readonly unused: string[]
}

type Read = Outcome<LanguageModelV4Message[], ServiceError>

/** Reads the system text and the messages into a prompt. */
export function readMessages(
  { system, messages }: MessagesBody,
  reading: Reading,
): Outcome<LanguageModelV4Prompt, ServiceError> {
  const prompt: LanguageModelV4Prompt = system == null ? [] : readSystem(system, 'system')
  for (const [index, message] of messages.entries()) {
    const read = readMessage(message, `messages.${index}`, reading)
    if (!read.ok) return read
    prompt.push(...read.value)
  }
  return accepted(prompt)
}

function readMessage({ role, content }: Message, field: string, reading: Reading): Read {
  switch (role) {
    case 'system':
      return accepted(readSystem(content, field))
    case 'user':
      return readUser(content, `${field}.content`, reading)
    case 'assistant':
      return accepted(readAssistant(content, reading))
  }
}

/** A neutral system message is one text, so that each block with a mark of its own becomes a message of its own. */
function readSystem(content: string | readonly TextBlock[], field: string): LanguageModelV4Message[] {
  const blocks: readonly Pick<TextBlock, 'text' | 'cache_control'>[] =
    typeof content === 'string' ? [{ text: content }] : content
  return blocks.flatMap(block =>
    block.text === ''
      ? []
      : [{ role: 'system' as const, content: block.text, ...cacheOptions(block, atField(field)) }],
  )
}

/** Results of tools stand among what the user says; neutral messages have a role of their own for them. */
function readUser(content: string | readonly UserBlock[], field: string, reading: Reading): Read {
  if (typeof content === 'string') {
    return accepted([{ role: 'user', content: [{ type: 'text', text: content }] }])
  }
  const messages: LanguageModelV4Message[] = []
  for (const [index, block] of content.entries()) {
    const place = `${field}.${index}`
    if (block.type === 'tool_result') {
      const result = readToolResult(block, place, reading)
      if (!result.ok) return result
      const last = messages.at(-1)
      if (last?.role === 'tool') last.content.push(result.value)
      else messages.push({ role: 'tool', content: [result.value] })
    } else {
      const part = readBlock(block, place, reading)
      if (!part.ok) return part
      pushUserPart(messages, part.value)
    }
  }
  return accepted(messages)
}

function pushUserPart(messages: LanguageModelV4Message[], part: NeutralPart): void {
  const last = messages.at(-1)
  if (last?.role === 'user') last.content.push(part)
  else messages.push({ role: 'user', content: [part] })
}
