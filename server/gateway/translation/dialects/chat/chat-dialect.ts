import type { TranslatedDialect } from '#gateway/translation/dialect.ts'
import { accepted } from '#lib/outcome.ts'
import { ChatRenderer } from './chat-renderer.ts'
import { renderChatReply } from './chat-reply.ts'
import { parseChat } from './parse-chat.ts'

/** OpenAI chat completions, for upstreams that speak otherwise. */
export const chatDialect: TranslatedDialect = {
  parse(body) {
    const parsed = parseChat(body)
    if (!parsed.ok) return parsed
    const { call, asksForUsage } = parsed.value
    return accepted({
      call,
      renderReply: renderChatReply,
      createRenderer: context => new ChatRenderer(context, asksForUsage),
    })
  },
}
