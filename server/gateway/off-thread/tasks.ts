/** What the worker threads can do: pure functions from elsewhere, each on bytes that both sides share. */
import type { ServiceError } from '#contract/errors.ts'
import type { TokenBuckets } from '#contract/usage.ts'
import { parseGenerationRequest } from '#gateway/edge/parse-request.ts'
import type { RequestOutline } from '#gateway/generation-request.ts'
import { estimateTokens as estimate } from '#gateway/metering/estimate.ts'
import { type ReplyReading, readReply as read } from '#gateway/providers/read-reply.ts'
import type { Outcome } from '#lib/outcome.ts'
import type { EstimateTask, ParseTask, ReplyTask } from './off-thread.ts'

/** A Buffer arrives from another thread as a plain byte array. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

export function parseRequest({
  endpoint,
  bytes,
  contentType,
}: ParseTask): Outcome<RequestOutline, ServiceError> {
  return parseGenerationRequest(endpoint, asBuffer(bytes), contentType)
}

export function readReply({ bytes, ...asked }: ReplyTask): ReplyReading {
  return read({ ...asked, bytes: asBuffer(bytes) })
}

export function estimateTokens({ endpoint, requestBytes, outputText }: EstimateTask): TokenBuckets {
  return estimate(endpoint, requestBytes && asBuffer(requestBytes), outputText)
}
