import { refusals, type ServiceError } from '#contract/errors.ts'
import { formRequest } from '#contract/generation.ts'
import type { AskedEndpoint, CountedUnits, RequestOutline } from '#gateway/generation-request.ts'
import { audioSeconds } from '#gateway/metering/audio-seconds.ts'
import { boundaryOf, type FormPart, scanForm } from '#lib/form-data.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { describeIssue } from './describe-issue.ts'

/** Fields that decide what is called and what it costs: each may stand once only. */
const DECISIVE = new Set(['model', 'stream', 'n', 'response_format', 'file'])

/** Longer ones hold no word that we act on. */
const MAX_FIELD_BYTES = 4096

const UNREADABLE = refusals.invalid('The request body is not valid form data')

/** Reads a generation request that came as multipart/form-data. Refusals name the field. */
export function parseForm(
  endpoint: AskedEndpoint,
  bytes: Buffer,
  contentType: string,
): Outcome<RequestOutline, ServiceError> {
  const boundary = boundaryOf(contentType)
  const parts = boundary === null ? null : scanForm(bytes, boundary)
  if (parts === null) return refused(UNREADABLE)
  const fields = new Map<string, FormPart>()
  for (const part of parts) {
    if (!DECISIVE.has(part.name)) continue
    if (fields.has(part.name)) {
      return refused(refusals.invalid(`${part.name}: stands twice in the request body`))
    }
    fields.set(part.name, part)
  }
  const checked = formRequest.safeParse(
    Object.fromEntries([...fields.values()].flatMap(part => textField(bytes, part))),
  )
  if (!checked.success) return refused(refusals.invalid(describeIssue(checked.error)))
  const model = fields.get('model')
  if (!model) throw new Error('A checked form has a model')
  return accepted({
    endpoint,
    model: checked.data.model,
    stream: false,
    modelSpan: { start: model.start, end: model.end },
    asksForUsage: true,
    choices: 1,
    usageEdit: null,
    units: countUnits(endpoint, bytes, fields.get('file')),
    contentType,
  })
}

function textField(bytes: Buffer, { name, filename, start, end }: FormPart): [string, string][] {
  if (filename !== null || end - start > MAX_FIELD_BYTES) return []
  return [[name, bytes.toString('utf8', start, end)]]
}

/** How long the audio is, as far as its file tells. */
function countUnits(endpoint: AskedEndpoint, bytes: Buffer, file: FormPart | undefined): CountedUnits | null {
  const isAudio = endpoint === 'transcriptions' || endpoint === 'translations'
  return isAudio && file ? audioSeconds(bytes.subarray(file.start, file.end)) : null
}
