import { z } from 'zod'

/**
 * The generation routes in the OpenAI convention. Only what the gateway itself acts on is checked; fields that we do
 * not know pass through as they are, since every compatible server adds its own.
 */

const message = z.looseObject({ role: z.string() })

export const chatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.number().int().min(1).max(128).nullish(),
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

export type ChatRequest = z.infer<typeof chatRequest>
