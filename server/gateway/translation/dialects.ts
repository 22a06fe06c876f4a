import type { EndpointName } from '#contract/usage.ts'
import type { TranslatedDialect } from './dialect.ts'
import { chatDialect } from './dialects/chat/chat-dialect.ts'
import { messagesDialect } from './dialects/messages/messages-dialect.ts'
import { responsesDialect } from './dialects/responses/responses-dialect.ts'

/** The dialects that can be translated, by the endpoint that speaks them. */
export const TRANSLATED_DIALECTS: Readonly<Partial<Record<EndpointName, TranslatedDialect>>> = {
  chat: chatDialect,
  messages: messagesDialect,
  responses: responsesDialect,
}
