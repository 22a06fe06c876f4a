import { z } from 'zod'

/**
 * The generation routes, in the conventions of OpenAI and Anthropic. Only what the gateway itself acts on is checked;
 * fields that we do not know pass through as they are, since every compatible server adds its own.
 */

const message = z.looseObject({ role: z.string() })
const streamOptions = z.looseObject({ include_usage: z.boolean().nullish() }).nullish()

export const chatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: streamOptions,
  n: z.number().int().min(1).max(128).nullish(),
})

/** A piece of a streamed chat, as far as the portal reads it. */
export const chatChunk = z.looseObject({
  choices: z.array(
    z.looseObject({
      delta: z.looseObject({ content: z.string().nullish() }),
      finish_reason: z.string().nullish(),
    }),
  ),
})

export const embeddingsRequest = z.looseObject({
  model: z.string().min(1),
  input: z.union([
    z.string(),
    z.array(z.string()).min(1),
    z.array(z.number().int()).min(1),
    z.array(z.array(z.number().int()).min(1)).min(1),
  ]),
  dimensions: z.number().int().min(1).nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
})

/** Anthropic's Messages, as `POST /v1/messages` takes it. */
export const messagesRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  max_tokens: z.number().int().min(1),
  stream: z.boolean().nullish(),
})

/** The same question where only its tokens are to be counted. */
export const countTokensRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
})

export const tokenCount = z.object({ input_tokens: z.number().int().min(0) })

/** OpenAI's Responses, as `POST /v1/responses` takes it. Without `input` it continues what the upstream has stored. */
export const responsesRequest = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.looseObject({})).min(1)]).nullish(),
  stream: z.boolean().nullish(),
  background: z.literal(false, 'is not supported: an answer can not be fetched later').nullish(),
})

/** Whose limits a chat of the portal's playground counts against: one of the user's own keys. */
export const playgroundQuery = z.object({ key_id: z.string().min(1).max(100) })

const tokens = z.array(z.number().int()).min(1)

/** OpenAI's older completions of a plain text. */
export const completionsRequest = z.looseObject({
  model: z.string().min(1),
  prompt: z.union([z.string(), z.array(z.string()).min(1), tokens, z.array(tokens).min(1)]).nullish(),
  stream: z.boolean().nullish(),
  stream_options: streamOptions,
  n: z.number().int().min(1).max(128).nullish(),
})

export const moderationsRequest = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.unknown()).min(1)]),
})

const notStreamed = z.literal(false, 'is not supported: this answer comes whole')

export const imagesRequest = z.looseObject({
  model: z.string().min(1),
  prompt: z.string().min(1),
  stream: notStreamed.nullish(),
})

export const speechRequest = z.looseObject({
  model: z.string().min(1),
  input: z.string().min(1),
  stream_format: z.literal('audio', 'is not supported: speech comes as audio').nullish(),
})

export const rerankRequest = z.looseObject({
  model: z.string().min(1),
  query: z.string(),
  documents: z.array(z.union([z.string(), z.looseObject({})])).min(1),
})

/** The fields of form data that the gateway acts on; files and all other fields pass through. */
export const formRequest = z.looseObject({
  model: z.string('is required').min(1),
  stream: z.enum(['false', '0', ''], 'is not supported: this answer comes whole').optional(),
})

export type CompletionsRequest = z.infer<typeof completionsRequest>
export type ChatRequest = z.infer<typeof chatRequest>
