import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { atField } from '#gateway/translation/neutral-call.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { cacheOptions } from './cache-marks.ts'
import type { CacheMarks, ChatMessage } from './chat-body.ts'
import { readAssistant } from './read-assistant.ts'
import { readParts } from './read-parts.ts'

export type ReadMessages = {
  readonly prompt: LanguageModelV4Prompt
  /** Members that are accepted and can't be said on. */
  readonly unused: readonly string[]
}

/** What is found on the way from message to message. */
export type Reading = {
  /** Names of the tools that were called, by the ids of their calls: results are given by id alone. */
  readonly toolNames: Map<string, string>
  readonly unused: string[]
}

type Read = Outcome<LanguageModelV4Message[], ServiceError>

/** Reads the messages of a chat into a prompt. */
export function readMessages(messages: readonly ChatMessage[]): Outcome<ReadMessages, ServiceError> {
  const reading: Reading = { toolNames: new Map(), unused: [] }
  const prompt: LanguageModelV4Prompt = []
  for (const [index, message] of messages.entries()) {
    const read = readMessage(message, `messages.${index}`, reading)
    if (!read.ok) return read
    for (const message of read.value) append(prompt, message)
  }
  return accepted({ prompt, unused: reading.unused })
}

/** Results of calls that were made at once belong together: some upstreams take them in one message alone. */
function append(prompt: LanguageModelV4Prompt, message: LanguageModelV4Message): void {
  const last = prompt.at(-1)
  if (last?.role === 'tool' && message.role === 'tool') last.content.push(...message.content)
  else prompt.push(message)
}

function readMessage(message: ChatMessage, field: string, reading: Reading): Read {
  switch (message.role) {
    case 'system':
    case 'developer':
      return accepted(readSystem(message, field))
    case 'user':
      return readUser(message, field, reading)
    case 'assistant':
      return readAssistant(message, field, reading)
    case 'tool':
      return readToolResult(message, field, reading)
  }
}

/** A neutral system message is one text, so that each part with a mark of its own becomes a message of its own. */
function readSystem(
  message: Extract<ChatMessage, { role: 'system' | 'developer' }>,
  field: string,
): LanguageModelV4Message[] {
  const { content } = message
  const parts: readonly (CacheMarks & { text: string })[] =
    typeof content === 'string' ? [{ text: content }] : content
  return parts.map((part, index) => ({
    role: 'system',
    content: part.text,
    // A mark on the message stands for its end.
    ...cacheOptions(index === parts.length - 1 ? { ...message, ...part } : part, atField(field)),
  }))
}

function readUser(message: Extract<ChatMessage, { role: 'user' }>, field: string, reading: Reading): Read {
  const content =
    typeof message.content === 'string' ? [{ type: 'text' as const, text: message.content }] : message.content
  const parts = readParts(content, `${field}.content`, reading)
  if (!parts.ok) return parts
  return accepted([{ role: 'user', content: parts.value, ...cacheOptions(message) }])
}

function readToolResult(
  message: Extract<ChatMessage, { role: 'tool' }>,
  field: string,
  reading: Reading,
): Read {
  const { tool_call_id: toolCallId, content } = message
  const toolName = reading.toolNames.get(toolCallId) ?? message.name
  if (toolName == null) {
    return refused(refusals.invalid(`${field}.tool_call_id: no tool call of that id stands before it`))
  }
  const output = readOutput(content, `${field}.content`, reading)
  if (!output.ok) return output
  const marks = typeof content === 'string' ? message : { ...message, ...content.at(-1) }
  return accepted([
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName, output: output.value, ...cacheOptions(marks) }],
    },
  ])
}

function readOutput(
  content: Extract<ChatMessage, { role: 'tool' }>['content'],
  field: string,
  reading: Reading,
): Outcome<LanguageModelV4ToolResultOutput, ServiceError> {
  if (typeof content === 'string') return accepted({ type: 'text', value: content })
  const parts = readParts(content, field, reading)
  return parts.ok ? accepted({ type: 'content', value: parts.value }) : parts
}
