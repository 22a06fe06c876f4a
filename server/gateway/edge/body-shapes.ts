/** What the JSON body of each endpoint must look like, and what of it the gateway acts on. */
import type { z } from 'zod'
import {
  type ChatRequest,
  type CompletionsRequest,
  chatRequest,
  completionsRequest,
  countTokensRequest,
  embeddingsRequest,
  imagesRequest,
  messagesRequest,
  moderationsRequest,
  rerankRequest,
  responsesRequest,
  speechRequest,
} from '#contract/generation.ts'
import type { AskedEndpoint, CountedUnits } from '#gateway/generation-request.ts'

/** What every checked body has. */
type CheckedBody = { readonly model: string; readonly stream?: unknown }

export type BodyShape = {
  readonly schema: z.ZodType<CheckedBody>
  /** The members that decide what is called and what it costs: each may stand once only. */
  readonly decisive: ReadonlySet<string>
  /** Where a stream reports its usage only when asked: how many choices the body asks for. */
  readonly countChoices?: (body: CheckedBody) => number
  /** The units that can be counted in the body itself. */
  readonly countUnits?: (body: CheckedBody) => CountedUnits
}

/** Cohere counts a search for each hundred documents: https://docs.cohere.com/docs/how-does-cohere-pricing-work (2026-11). */
const DOCUMENTS_A_SEARCH = 100

const OF_ALL = ['model', 'stream']

/** Whose answers come as streams where the body asks for it; elsewhere `stream` is a field like any other. */
export const STREAMED: ReadonlySet<AskedEndpoint> = new Set(['chat', 'messages', 'responses', 'completions'])

function shape(
  schema: BodyShape['schema'],
  decisive: readonly string[],
  counting: Pick<BodyShape, 'countChoices' | 'countUnits'> = {},
): BodyShape {
  return { schema, decisive: new Set([...OF_ALL, ...decisive]), ...counting }
}

/** Endpoints whose bodies are JSON. */
export const BODY_SHAPES: Readonly<Partial<Record<AskedEndpoint, BodyShape>>> = {
  chat: shape(chatRequest, ['stream_options', 'n', 'messages'], {
    // The schema beside it was applied, here and below.
    countChoices: body => (body as ChatRequest).n ?? 1,
  }),
  messages: shape(messagesRequest, ['max_tokens', 'messages', 'system']),
  count_tokens: shape(countTokensRequest, ['messages', 'system']),
  responses: shape(responsesRequest, ['background', 'input', 'instructions']),
  completions: shape(completionsRequest, ['stream_options', 'n', 'prompt'], {
    countChoices: body => {
      const { n, prompt } = body as CompletionsRequest
      return (n ?? 1) * countPrompts(prompt)
    },
  }),
  embeddings: shape(embeddingsRequest, ['input']),
  moderations: shape(moderationsRequest, ['input']),
  images: shape(imagesRequest, ['n', 'prompt']),
  speech: shape(speechRequest, ['input'], {
    countUnits: body => {
      const { input } = body as z.infer<typeof speechRequest>
      return { count: countCharacters(input), isExact: true }
    },
  }),
  rerank: shape(rerankRequest, ['query', 'documents'], {
    countUnits: body => {
      const { documents } = body as z.infer<typeof rerankRequest>
      return { count: Math.ceil(documents.length / DOCUMENTS_A_SEARCH), isExact: true }
    },
  }),
}

/** A list of texts, or of lists of tokens, is as many prompts; a list of tokens is one. */
function countPrompts(prompt: CompletionsRequest['prompt']): number {
  return Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1
}

/** Characters as people count them in Unicode: code points, of which some take two units of a text. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
