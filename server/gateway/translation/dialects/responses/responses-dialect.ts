import type { TranslatedDialect } from '#gateway/translation/dialect.ts'
import { accepted } from '#lib/outcome.ts'
import { parseResponses } from './parse-responses.ts'
import { renderResponse } from './response-object.ts'
import { ResponsesRenderer } from './responses-renderer.ts'

/** OpenAI's Responses, for upstreams that speak otherwise. */
export const responsesDialect: TranslatedDialect = {
  parse(given) {
    const parsed = parseResponses(given)
    if (!parsed.ok) return parsed
    const { call, body } = parsed.value
    return accepted({
      call,
      renderReply: (answer, context) => renderResponse(answer, context, body),
      createRenderer: context => new ResponsesRenderer(context, body),
    })
  },
}
