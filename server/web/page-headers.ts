import { createHash } from 'node:crypto'
import type { FastifyHelmetOptions } from '@fastify/helmet'

/**
 * The headers of every page: all it loads comes from here, no other site frames it or learns where its visitors were,
 * and the scripts that stand in the documents themselves are allowed by their hashes alone.
 */
export function pageHeaders(documents: readonly string[]): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...documents.flatMap(inlineScriptHashes)],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    // Whoever ends TLS decides for how long; the service itself may be reached by plain http.
    strictTransportSecurity: false,
  }
}

/**
 * The headers of what pages load. What a page may do is said with the page; whoever opens one of these by itself gets
 * something that can do nothing. Said briefly: a first visit fetches two dozen of them.
 */
export const ASSET_HEADERS: FastifyHelmetOptions = {
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"] } },
  strictTransportSecurity: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  originAgentCluster: false,
  crossOriginOpenerPolicy: false,
}

/** The sources of the policy for each script within a document: the base64 of the SHA-256 of all between its tags. */
function inlineScriptHashes(html: string): string[] {
  const scripts = html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)
  return [...scripts].map(([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
}
