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

export type FileRules = {
  /** Beginnings of the media types that the upstream takes. */
  readonly types: readonly string[]
  /** Whether results of tools may hold files: `any`, only with their `data`, or `none`. */
  readonly inToolResults: 'any' | 'data' | 'none'
}

/** The refusal of the first file that the upstream can't take; null when it takes all of them. */
export function refuseFiles(call: NeutralCall, { types, inToolResults }: FileRules): ServiceError | null {
  for (const file of filesOf(call.options.prompt)) {
    const field = fieldOf(file.providerOptions) ?? nameOf(call, 'prompt')
    if (!types.some(type => file.mediaType.startsWith(type))) {
      return refusals.notCarriedOver(field, `the upstream of this model takes no ${file.mediaType}`)
    }
    if (!file.isToolResult || inToolResults === 'any') continue
    if (inToolResults === 'none') {
      return refusals.notCarriedOver(field, 'the upstream of this model takes no files as results of tools')
    }
    if (file.data.type !== 'data') return refusals.notCarriedOver(field, NOT_FETCHED)
  }
  return null
}

const NOT_FETCHED =
  'the upstream of this model does not fetch files from there, or not without an ending that tells their type; send the data itself'

/**
 * The refusal of the first file that is given by an address from which the upstream does not fetch; null when there is
 * none. Nobody here ever fetches one. `supported` are the patterns of addresses by media type, as models tell them.
 */
export function refuseAddresses(
  call: NeutralCall,
  supported: Readonly<Record<string, readonly RegExp[]>>,
): ServiceError | null {
  for (const { data, mediaType, providerOptions } of filesOf(call.options.prompt)) {
    if (data.type !== 'url') continue
    const address = data.url.href.toLowerCase()
    const isFetched = Object.entries(supported).some(
      ([type, patterns]) => coversType(type, mediaType) && patterns.some(pattern => pattern.test(address)),
    )
    if (!isFetched) {
      return refusals.notCarriedOver(fieldOf(providerOptions) ?? nameOf(call, 'prompt'), NOT_FETCHED)
    }
  }
  return null
}

/** `image/*` covers `image/png` and a bare `image`; `*` covers all. */
function coversType(pattern: string, mediaType: string): boolean {
  if (pattern === '*' || pattern === '*/*' || pattern === mediaType) return true
  if (!pattern.endsWith('/*')) return false
  const kind = pattern.slice(0, -2)
  return mediaType === kind || mediaType.startsWith(`${kind}/`)
}

type AnyFile = Pick<LanguageModelV4FilePart, 'mediaType' | 'data' | 'providerOptions'> & {
  readonly isToolResult: boolean
}

function filesOf(prompt: LanguageModelV4Prompt): AnyFile[] {
  return prompt.flatMap((message): AnyFile[] => {
    if (message.role === 'system') return []
    return message.content.flatMap((part): AnyFile[] => {
      if (part.type === 'file') return [{ ...part, isToolResult: false }]
      if (part.type !== 'tool-result' || part.output.type !== 'content') return []
      return part.output.value.flatMap(value =>
        value.type === 'file' ? [{ ...value, isToolResult: true }] : [],
      )
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

type Markable = { readonly providerOptions?: SharedV4ProviderOptions }

const isMarked = (given: Markable) => cacheLifeOf(given.providerOptions) !== undefined

/** Whether the caller marked a tool as the end of what is to be cached. */
export function hasToolBreakpoint({ options: { tools } }: NeutralCall): boolean {
  return (tools ?? []).some(tool => tool.type === 'function' && isMarked(tool))
}

/** Whether the caller marked anything as the end of what is to be cached. */
export function hasCacheBreakpoint(call: NeutralCall): boolean {
  const { prompt } = call.options
  return (
    prompt.some(
      message => isMarked(message) || (message.role !== 'system' && message.content.some(isMarked)),
    ) || hasToolBreakpoint(call)
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
