import type { LanguageModelV4 } from '@ai-sdk/provider'
import { readGenerateContentUsage } from '#gateway/metering/generate-content-usage.ts'
import { readMessagesUsage } from '#gateway/metering/messages-usage.ts'
import { adaptToAnthropic } from '#gateway/providers/anthropic/adapt-to-anthropic.ts'
import { readAnthropicInput } from '#gateway/providers/anthropic/translated.ts'
import { adaptToGoogle } from '#gateway/providers/gemini/adapt-to-google.ts'
import { googleStatusMeant } from '#gateway/providers/gemini/google-status.ts'
import type { TokenKeeper } from '#gateway/providers/tokens/token-keeper.ts'
import type { Connection, Engine } from '#gateway/translation/engine.ts'
import { vertexAuthorization } from './vertex-authorization.ts'

/** https://docs.cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude (2026-11) */
const ANTHROPIC_VERSION = 'vertex-2023-10-16'

const FETCHES_ANY = { '*': [/^https?:\/\//, /^gs:\/\//] }

/** Claude's models have a protocol of their own, under their own publisher. */
function isClaude(model: string): boolean {
  return model.startsWith('claude-')
}

/** Google's Vertex AI: Gemini's models and Claude's. Its base URL ends with the location: `…/locations/REGION`. */
export function createVertexEngine(tokenFor: TokenKeeper): Engine {
  return {
    adapt: (call, model) => (isClaude(model) ? adaptToAnthropic(call) : adaptToGoogle(call)),
    languageModel: connection =>
      isClaude(connection.upstreamModel)
        ? claudeModel(connection, tokenFor)
        : geminiModel(connection, tokenFor),
    readUsage: (raw, model) => (isClaude(model) ? readMessagesUsage(raw) : readGenerateContentUsage(raw)),
    readInputUsage: readAnthropicInput,
    statusMeant: googleStatusMeant,
    finalMark: '"finishReason"',
  }
}

async function geminiModel(
  { provider, upstreamModel, fetch }: Connection,
  tokenFor: TokenKeeper,
): Promise<LanguageModelV4> {
  const { GoogleLanguageModel } = await import('@ai-sdk/google/internal')
  // A tuned model is served at an endpoint of its own, and not by a publisher.
  const isEndpoint = upstreamModel.startsWith('endpoints/')
  return new GoogleLanguageModel(upstreamModel, {
    provider: 'google.vertex.chat',
    baseURL: isEndpoint ? provider.baseUrl : `${provider.baseUrl}/publishers/google`,
    headers: await vertexAuthorization(provider, tokenFor),
    fetch,
    generateId: () => `call_${crypto.randomUUID().replaceAll('-', '')}`,
    supportedUrls: () => FETCHES_ANY,
  })
}

async function claudeModel(
  { provider, upstreamModel, fetch }: Connection,
  tokenFor: TokenKeeper,
): Promise<LanguageModelV4> {
  const { AnthropicLanguageModel } = await import('@ai-sdk/anthropic/internal')
  return new AnthropicLanguageModel(upstreamModel, {
    provider: 'googleVertex.anthropic.messages',
    baseURL: `${provider.baseUrl}/publishers/anthropic/models`,
    headers: await vertexAuthorization(provider, tokenFor),
    fetch,
    buildRequestUrl: (baseURL, isStreaming) =>
      `${baseURL}/${upstreamModel}:${isStreaming ? 'streamRawPredict' : 'rawPredict'}`,
    transformRequestBody: ({ model: _, ...body }) => ({ ...body, anthropic_version: ANTHROPIC_VERSION }),
    // What is given by an address is refused: Vertex does not fetch it for Claude.
    supportedUrls: () => ({}),
    // Its own form of JSON output has to be allowed by an organisation first; by a tool it works everywhere.
    supportsNativeStructuredOutput: false,
    supportsStrictTools: false,
  })
}
