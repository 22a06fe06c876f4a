import type { EndpointName } from '#contract/usage.ts'
import type { ToldModel } from '#domains/catalog/model-listing.ts'

/** An object of an answer whose members may be anything. */
export type Told = Readonly<Record<string, unknown>>

/** The objects of a list that stands under one of these names, or is the whole answer; null when there is none. */
export function listIn(answer: unknown, ...names: readonly string[]): Told[] | null {
  const list = Array.isArray(answer) ? answer : names.map(name => memberOf(answer, name)).find(Array.isArray)
  return Array.isArray(list) ? list.filter(isObject) : null
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}

export function isObject(value: unknown): value is Told {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The first of these that is a text with something in it. */
export function textOf(...values: readonly unknown[]): string | null {
  const found = values.find(value => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found : null
}

/** The first of these that counts something. */
export function countOf(...values: readonly unknown[]): number | null {
  const found = values.find(value => Number.isSafeInteger(value) && Number(value) > 0)
  return typeof found === 'number' ? found : null
}

export function textsOf(value: unknown): string[] | null {
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : null
}

/** Both directions, or nothing: half of it would read as if there were no other. */
export function modalitiesOf(input: unknown, output: unknown): ToldModel['modalities'] {
  const [ins, outs] = [textsOf(input), textsOf(output)]
  if (!ins || !outs || ins.length === 0 || outs.length === 0) return null
  return { input: ins.map(each => each.toLowerCase()), output: outs.map(each => each.toLowerCase()) }
}

/** Names of models that are no chat models, as makers have given them up to November 2026. */
const NAMES: readonly [RegExp, EndpointName][] = [
  [/embed|\bbge-|\be5-|\bgte-/, 'embeddings'],
  [/rerank/, 'rerank'],
  [/moderation/, 'moderations'],
  [/whisper|transcribe|voxtral.*transcri/, 'transcriptions'],
  [/\btts\b|-tts|orpheus|playai/, 'speech'],
  [/dall-e|gpt-image|imagen|imagine|flux|stable-diffusion|titan-image|nova-canvas/, 'images'],
]

/** What can be asked of a model, by its name alone. */
export function endpointsByName(upstreamModel: string): EndpointName[] {
  const name = upstreamModel.toLowerCase()
  return [NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? 'chat']
}
