import type { EndpointName } from '#contract/usage.ts'
import type { TranslatedDialect } from './dialect.ts'
import { chatDialect } from './dialects/chat/chat-dialect.ts'

/** The dialects that can be translated, by the endpoint that speaks them. */
export const TRANSLATED_DIALECTS: Readonly<Partial<Record<EndpointName, TranslatedDialect>>> = {
  chat: chatDialect,
}
