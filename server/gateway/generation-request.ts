import type { EndpointName } from '#contract/usage.ts'
import type { Edit } from '#lib/json-scan.ts'

/** What an upstream is asked for: an answer, or how many tokens the question for one has. */
export type AskedEndpoint = EndpointName | 'count_tokens'

/** Units that were counted in a request: images, seconds, searches or characters. */
export type CountedUnits = {
  readonly count: number
  /** False where it is an estimate. */
  readonly isExact: boolean
}

/** A place in the request body. */
export type Span = { readonly start: number; readonly end: number }

/**
 * What the gateway itself needs to know of a request's body. The bytes stay as they were sent: the few edits that an
 * upstream needs are spliced in by place.
 */
export type GenerationRequest = {
  readonly endpoint: AskedEndpoint
  readonly bytes: Buffer
  readonly model: string
  readonly stream: boolean
  /** Whether the client asked for a usage chunk at the end of its stream. */
  readonly asksForUsage: boolean
  /** How many choices the client asked for. */
  readonly choices: number
  readonly modelSpan: Span
  /** What has to be spliced in so that a stream reports its usage; null when it does so already. */
  readonly usageEdit: Edit | null
  /** What of its units can be told from the request alone; null where nothing can. */
  readonly units: CountedUnits | null
  /** The content type of form data, which the upstream needs as it came; null for JSON. */
  readonly contentType: string | null
  /** Headers of the caller for an upstream that speaks the same protocol: names and values in turns. */
  readonly passedHeaders: readonly string[]
}

/** The part of it that is read from the bytes. */
export type RequestOutline = Omit<GenerationRequest, 'bytes' | 'passedHeaders'>
