import type { z } from 'zod'
import { refusals, type ServiceError } from '#contract/errors.ts'
import {
  type ChatRequest,
  chatRequest,
  embeddingsRequest,
  messagesRequest,
  responsesRequest,
} from '#contract/generation.ts'
import type { EndpointName } from '#contract/usage.ts'
import type { RequestOutline } from '#gateway/generation-request.ts'
import { type Edit, type ScannedObject, scanObject } from '#lib/json-scan.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'

/** What every checked body has. */
type CheckedBody = { readonly model: string; readonly stream?: boolean | null }

type BodyShape = {
  readonly schema: z.ZodType<CheckedBody>
  /** The members that decide what is called and what it costs: each may stand once only. */
  readonly decisive: ReadonlySet<string>
}

const SHAPES: Readonly<Record<EndpointName, BodyShape>> = {
  chat: {
    schema: chatRequest,
    decisive: new Set(['model', 'stream', 'stream_options', 'n', 'messages']),
  },
  messages: {
    schema: messagesRequest,
    decisive: new Set(['model', 'stream', 'max_tokens', 'messages', 'system']),
  },
  responses: {
    schema: responsesRequest,
    decisive: new Set(['model', 'stream', 'background', 'input', 'instructions']),
  },
  embeddings: { schema: embeddingsRequest, decisive: new Set(['model', 'input']) },
}

/** A name that folds to itself, as nearly all do. */
const PLAIN = /^[a-z_]*$/

/** Reads a generation request's body. Refusals name the field. */
export function parseGenerationRequest(
  endpoint: EndpointName,
  bytes: Buffer,
): Outcome<RequestOutline, ServiceError> {
  let body: unknown
  try {
    body = JSON.parse(bytes.toString('utf8'))
  } catch {
    return refused(refusals.invalid('The request body is not valid JSON'))
  }
  const { schema, decisive } = SHAPES[endpoint]
  const checked = schema.safeParse(body)
  if (!checked.success) return refused(refusals.invalid(describe(checked.error)))

  const scanned = scanObject(bytes)
  const ambiguous = findAmbiguous(scanned, decisive)
  if (ambiguous !== undefined) {
    return refused(refusals.invalid(`${ambiguous}: stands twice in the request body`))
  }
  const model = scanned.members.get('model')
  if (!model) throw new Error('A checked body has a model')
  return accepted({
    endpoint,
    model: checked.data.model,
    stream: checked.data.stream === true,
    modelSpan: { start: model.valueStart, end: model.valueEnd },
    // The chat schema was applied above.
    ...(endpoint === 'chat' ? chatOutline(checked.data as ChatRequest, scanned, bytes) : ONE_ANSWER),
  })
}

/** Where there are no choices, and usage is reported unasked. */
const ONE_ANSWER = { asksForUsage: true, choices: 1, usageEdit: null }

function chatOutline(chat: ChatRequest, scanned: ScannedObject, bytes: Buffer) {
  const asksForUsage = chat.stream_options?.include_usage === true
  return {
    asksForUsage,
    choices: chat.n ?? 1,
    usageEdit:
      chat.stream === true && !asksForUsage ? askForUsage(scanned, chat.stream_options ?? null, bytes) : null,
  }
}

/**
 * A decisive name that some parser on the way may find twice. Go's encoding/json (upstreams such as Ollama) matches
 * names without regard to case: there a `Model` after the `model` would be what is served, and not what is charged.
 */
function findAmbiguous(
  { members, duplicates }: ScannedObject,
  decisive: ReadonlySet<string>,
): string | undefined {
  for (const name of duplicates) if (decisive.has(name)) return name
  for (const name of members.keys()) {
    if (PLAIN.test(name)) continue
    // To upper case first: it also folds what only lower-cases to itself, such as the long s.
    const folded = name.toUpperCase().toLowerCase()
    if (decisive.has(folded)) return folded
  }
  return undefined
}

function describe(error: z.ZodError): string {
  const [issue] = error.issues
  if (!issue) return 'The request body is not valid'
  const path = issue.path.join('.')
  return path ? `${path}: ${issue.message}` : `The request body must be a JSON object: ${issue.message}`
}

/** Streams report their usage only when asked: https://platform.openai.com/docs/api-reference/chat/create (2026-11). */
function askForUsage(scanned: ScannedObject, options: object | null, bytes: Buffer): Edit {
  const value = JSON.stringify({ ...options, include_usage: true })
  const member = scanned.members.get('stream_options')
  if (member) return { start: member.valueStart, end: member.valueEnd, text: value }
  const afterBrace = bytes.indexOf('{') + 1
  return { start: afterBrace, end: afterBrace, text: `"stream_options":${value},` }
}
