import { refusals, type ServiceError } from '#contract/errors.ts'
import type { AskedEndpoint, RequestOutline } from '#gateway/generation-request.ts'
import { type ScannedObject, scanObject } from '#lib/json-scan.ts'
import { findNul } from '#lib/nul.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { askForUsage } from './ask-for-usage.ts'
import { BODY_SHAPES, STREAMED } from './body-shapes.ts'
import { describeIssue } from './describe-issue.ts'
import { glanceAtChat } from './glance-at-chat.ts'
import { parseForm } from './parse-form.ts'

/** A name that folds to itself, as nearly all do. */
const PLAIN = /^[a-z_]*$/

/** Reads a generation request's body: JSON, or form data where the endpoint takes files. Refusals name the field. */
export function parseGenerationRequest(
  endpoint: AskedEndpoint,
  bytes: Buffer,
  contentType: string,
): Outcome<RequestOutline, ServiceError> {
  const glanced = endpoint === 'chat' ? glanceAtChat(bytes) : null
  if (glanced) return accepted(glanced)
  const parsed = parseCarefully(endpoint, bytes, contentType)
  // The name is recorded as it was asked for.
  if (parsed.ok && findNul(parsed.value.model) !== null) {
    return refused(refusals.invalid('model: must not hold the character U+0000'))
  }
  return parsed
}

/** All that is accepted, and every refusal. */
export function parseCarefully(
  endpoint: AskedEndpoint,
  bytes: Buffer,
  contentType: string,
): Outcome<RequestOutline, ServiceError> {
  const shape = BODY_SHAPES[endpoint]
  if (!shape) return parseForm(endpoint, bytes, contentType)
  let body: unknown
  try {
    body = JSON.parse(bytes.toString('utf8'))
  } catch {
    return refused(refusals.invalid('The request body is not valid JSON'))
  }
  const checked = shape.schema.safeParse(body)
  if (!checked.success) return refused(refusals.invalid(describeIssue(checked.error)))

  const scanned = scanObject(bytes)
  const ambiguous = findAmbiguous(scanned, shape.decisive)
  if (ambiguous !== undefined) {
    return refused(refusals.invalid(`${ambiguous}: stands twice in the request body`))
  }
  const model = scanned.members.get('model')
  if (!model) throw new Error('A checked body has a model')
  const stream = STREAMED.has(endpoint) && checked.data.stream === true
  const choices = shape.countChoices?.(checked.data)
  return accepted({
    endpoint,
    model: checked.data.model,
    stream,
    modelSpan: { start: model.valueStart, end: model.valueEnd },
    choices: choices ?? 1,
    units: shape.countUnits?.(checked.data) ?? null,
    contentType: null,
    // Where there are no choices, usage is reported unasked.
    ...(choices === undefined ? UNASKED : usageOf(body, stream, { scanned, bytes })),
  })
}

const UNASKED = { asksForUsage: true, usageEdit: null }

function usageOf(
  body: unknown,
  stream: boolean,
  { scanned, bytes }: { readonly scanned: ScannedObject; readonly bytes: Buffer },
): Pick<RequestOutline, 'asksForUsage' | 'usageEdit'> {
  // The schemas of all bodies that have choices say what their stream options may be.
  const { stream_options: options } = body as { stream_options?: { include_usage?: boolean | null } | null }
  const asksForUsage = options?.include_usage === true
  const span = scanned.members.get('stream_options')
  const given = span ? { options: options ?? null, span } : null
  return { asksForUsage, usageEdit: stream && !asksForUsage ? askForUsage(bytes, given) : null }
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
