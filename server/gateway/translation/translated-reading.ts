import type { LanguageModelV4Content, SharedV4Warning } from '@ai-sdk/provider'
import type { InputBuckets, ReportedUsage } from '#gateway/metering/usage.ts'
import type { StreamReading } from '#gateway/providers/provider.ts'
import type { AnswerPart } from './dialect.ts'

/** Texts longer than this are not kept whole: they are only wanted for an estimate. */
const MAX_KEPT_TEXT = 2_000_000

/** What was seen of a translated stream. */
export class TranslatedReading implements StreamReading {
  usage: ReportedUsage | null = null
  inputUsage: InputBuckets | null = null
  outputText = ''
  hasContent = false
  nextEventNumber = 0
  /** Calls that came in pieces: the whole that follows them adds nothing. */
  readonly #begunCalls = new Set<string>()

  /** Notes a part that was handed on. */
  note(part: AnswerPart): void {
    switch (part.type) {
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-input-delta':
        this.#add(part.delta)
        break
      case 'tool-input-start':
        this.#begunCalls.add(part.id)
        this.#add(part.toolName)
        break
      case 'tool-call':
        if (!this.#begunCalls.has(part.toolCallId)) this.#add(part.toolName + part.input)
        break
      case 'file':
        this.hasContent = true
    }
  }

  #add(text: string): void {
    this.hasContent ||= text !== ''
    if (this.outputText.length < MAX_KEPT_TEXT) this.outputText += text
  }
}

/** The generated text of a whole answer. */
export function answerText(content: readonly LanguageModelV4Content[]): string {
  return content
    .map(part => {
      if (part.type === 'text' || part.type === 'reasoning') return part.text
      return part.type === 'tool-call' ? part.toolName + part.input : ''
    })
    .join('')
}

/** Warnings of a package in a few words. */
export function warningTexts(warnings: readonly SharedV4Warning[]): string[] {
  return warnings.map(warning => {
    if (warning.type === 'other') return warning.message
    if (warning.type === 'deprecated') return warning.message
    return warning.details ?? `not carried over: ${warning.feature}`
  })
}
