import type { TranslatedDialect } from '#gateway/translation/dialect.ts'
import { accepted } from '#lib/outcome.ts'
import { MessagesRenderer } from './messages-renderer.ts'
import { renderMessage } from './messages-reply.ts'
import { parseMessages } from './parse-messages.ts'

/** Anthropic's Messages, for upstreams that speak otherwise. */
export const messagesDialect: TranslatedDialect = {
  parse(body) {
    const parsed = parseMessages(body)
    if (!parsed.ok) return parsed
    return accepted({
      call: parsed.value,
      renderReply: renderMessage,
      createRenderer: context => new MessagesRenderer(context),
    })
  },
}
