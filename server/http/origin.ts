import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusals } from '#contract/errors.ts'
import { sendError } from './frame.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD'])

/**
 * An `onRequest` hook for cookie routes: refuses what changes something and names a foreign `Origin`, whatever cookie
 * it carries, so that no other site can act in a visitor's name. Own is the origin of the public URL where that is
 * configured, else any origin on the host that was asked. `Origin: null` is foreign; a missing one is no browser's.
 */
export function refuseForeignOrigins(publicUrl: string | null) {
  const ownOrigin = publicUrl === null ? null : new URL(publicUrl).origin
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { origin, host } = request.headers
    if (SAFE_METHODS.has(request.method) || origin === undefined) return
    if (isOwn(origin, host, ownOrigin)) return
    return sendError(reply, refusals.forbidden('This request comes from a foreign origin'))
  }
}

function isOwn(origin: string, host: string | undefined, ownOrigin: string | null): boolean {
  const parsed = URL.parse(origin)
  if (parsed === null) return false
  if (ownOrigin !== null) return parsed.origin === ownOrigin
  // A proxy in front may have taken https off, so the schemes may differ; default ports fall away on both sides.
  return host !== undefined && parsed.host === URL.parse(`${parsed.protocol}//${host}`)?.host
}
