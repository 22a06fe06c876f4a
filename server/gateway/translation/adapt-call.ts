import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { type CacheLife, cacheLifeOf, fieldOf, type NeutralCall, type NeutralField } from './neutral-call.ts'

/** What engines ask of a call and change in it, each in its own way. */

/** The caller's name for a setting. */
export function nameOf({ fieldNames }: NeutralCall, field: NeutralField): string {
  return fieldNames[field] ?? field
}

/** The refusal of the first of these settings that the call has; null when it has none of them. */
export function refuseSettings(
  call: NeutralCall,
  fields: readonly (NeutralField & keyof NeutralCall['options'])[],
): ServiceError | null {
  const given = fields.find(field => call.options[field] !== undefined)
  if (given === undefined) return null
  return refusals.notCarriedOver(nameOf(call, given), 'the upstream of this model takes no such setting')
}

type FileSource = LanguageModelV4FilePart['data']['type']

export type FileRules = {
  /** Beginnings of the media types that the upstream takes. */
  readonly types: readonly string[]
  readonly sources: readonly FileSource[]
}

/** The refusal of the first file that the upstream can't take; null when it takes all of them. */
export function refuseFiles(call: NeutralCall, { types, sources }: FileRules): ServiceError | null {
  for (const file of filesOf(call.options.prompt)) {
    const field = fieldOf(file.providerOptions) ?? nameOf(call, 'prompt')
    if (!types.some(type => file.mediaType.startsWith(type))) {
      return refusals.notCarriedOver(field, `the upstream of this model takes no ${file.mediaType}`)
    }
    if (!sources.includes(file.data.type)) {
      const how =
        file.data.type === 'url' ? 'does not fetch addresses; send the data itself' : 'takes no such file'
      return refusals.notCarriedOver(field, `the upstream of this model ${how}`)
    }
  }
  return null
}

type AnyFile = Pick<LanguageModelV4FilePart, 'mediaType' | 'data' | 'providerOptions'>

function filesOf(prompt: LanguageModelV4Prompt): AnyFile[] {
  return prompt.flatMap((message): AnyFile[] => {
    if (message.role === 'system') return []
    return message.content.flatMap((part): AnyFile[] => {
      if (part.type === 'file') return [part]
      if (part.type !== 'tool-result' || part.output.type !== 'content') return []
      return part.output.value.filter(value => value.type === 'file')
    })
  })
}

/** The refusal of a system message that follows others; null where all of them come first. */
export function refuseLateSystem(call: NeutralCall): ServiceError | null {
  const { prompt } = call.options
  const first = prompt.findIndex(message => message.role !== 'system')
  const late = first === -1 ? undefined : prompt.slice(first).find(message => message.role === 'system')
  if (!late) return null
  const field = fieldOf(late.providerOptions) ?? nameOf(call, 'prompt')
  return refusals.notCarriedOver(
    field,
    'the upstream of this model takes system messages at the beginning alone',
  )
}

/** Whether the caller marked anything as the end of what is to be cached. */
export function hasCacheBreakpoint({ options: { prompt, tools } }: NeutralCall): boolean {
  const isMarked = (given: { readonly providerOptions?: SharedV4ProviderOptions }) =>
    cacheLifeOf(given.providerOptions) !== undefined
  return (
    prompt.some(
      message => isMarked(message) || (message.role !== 'system' && message.content.some(isMarked)),
    ) || (tools ?? []).some(tool => tool.type === 'function' && isMarked(tool))
  )
}

/** The same options with each breakpoint in the words of one upstream. */
export function withBreakpoints(
  call: NeutralCall,
  toOptions: (life: CacheLife | 'default') => SharedV4ProviderOptions,
): LanguageModelV4CallOptions {
  const { options } = call
  if (!hasCacheBreakpoint(call)) return { ...options }
  const mark = <Marked extends { providerOptions?: SharedV4ProviderOptions }>(given: Marked): Marked => {
    const life = cacheLifeOf(given.providerOptions)
    return life === undefined
      ? given
      : { ...given, providerOptions: { ...given.providerOptions, ...toOptions(life) } }
  }
  return {
    ...options,
    prompt: options.prompt.map(message => markMessage(mark(message), mark)),
    tools: options.tools?.map(tool =>
      tool.type === 'function' ? mark<LanguageModelV4FunctionTool>(tool) : tool,
    ),
  }
}

type Mark = <Marked extends { providerOptions?: SharedV4ProviderOptions }>(given: Marked) => Marked

function markMessage(message: LanguageModelV4Message, mark: Mark): LanguageModelV4Message {
  switch (message.role) {
    case 'system':
      return message
    case 'user':
      return { ...message, content: message.content.map(mark) }
    case 'assistant':
      return { ...message, content: message.content.map(mark) }
    case 'tool':
      return { ...message, content: message.content.map(mark) }
  }
}
