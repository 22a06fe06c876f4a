import type { LanguageModelV4ToolResultOutput, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { cacheOptions } from './cache-marks.ts'
import type { ToolResultBlock } from './messages-body.ts'
import { type NeutralPart, readBlock } from './read-blocks.ts'
import type { Reading } from './read-messages.ts'

/** Reads what a tool gave back. */
export function readToolResult(
  block: ToolResultBlock,
  field: string,
  reading: Reading,
): Outcome<LanguageModelV4ToolResultPart, ServiceError> {
  const toolName = reading.toolNames.get(block.tool_use_id)
  if (toolName === undefined) {
    return refused(refusals.invalid(`${field}.tool_use_id: no tool call of that id stands before it`))
  }
  const output = readOutput(block, field, reading)
  if (!output.ok) return output
  return accepted({
    type: 'tool-result',
    toolCallId: block.tool_use_id,
    toolName,
    output: output.value,
    ...cacheOptions(block),
  })
}

function readOutput(
  { content, is_error: isError }: ToolResultBlock,
  field: string,
  reading: Reading,
): Outcome<LanguageModelV4ToolResultOutput, ServiceError> {
  if (content == null || typeof content === 'string') return accepted(textOutput(content ?? '', isError))
  const parts: NeutralPart[] = []
  for (const [index, block] of content.entries()) {
    const part = readBlock(block, `${field}.content.${index}`, reading)
    if (!part.ok) return part
    parts.push(part.value)
  }
  const texts = parts.flatMap(part => (part.type === 'text' && !part.providerOptions ? [part.text] : []))
  if (texts.length === parts.length) return accepted(textOutput(texts.join('\n'), isError))
  // Neutral results that hold files can't say that they are errors.
  if (isError === true) reading.unused.push(`${field}.is_error`)
  return accepted({ type: 'content', value: parts })
}

function textOutput(value: string, isError: boolean | null | undefined): LanguageModelV4ToolResultOutput {
  return { type: isError === true ? 'error-text' : 'text', value }
}
