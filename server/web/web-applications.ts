import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fastifyHelmet } from '@fastify/helmet'
import { fastifyStatic } from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { HttpApp } from '#server/http/frame.ts'
import { ASSET_HEADERS, pageHeaders } from './page-headers.ts'

export type WebApplication = {
  /** Where it is found, with a slash at both ends. */
  readonly base: string
  /** Its document within the folder of the build. */
  readonly document: string
}

/** Every application that is built. */
export const WEB_APPLICATIONS: readonly WebApplication[] = [
  { base: '/portal/', document: 'portal/index.html' },
  { base: '/console/', document: 'admin/index.html' },
  { base: '/docs/', document: 'reference/index.html' },
]

/** Pages are no part of the API's reference. */
const HIDDEN = { schema: { hide: true } }

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const NOT_BUILT = `<!doctype html>
<html lang="en"><title>Goldweight</title>
<p>The web applications are not built. Run <code>npm run build</code> and start the service again; the API works without.</p>
`

export type WebParts = {
  /** Of the build. */
  readonly folder: string
  readonly applications?: readonly WebApplication[]
}

/** Serves the web applications; `/` leads to the first of them. */
export function registerWebApplications(
  app: HttpApp,
  { folder, applications = WEB_APPLICATIONS }: WebParts,
): void {
  void app.register(async scope => {
    const documents = await Promise.all(applications.map(application => readDocument(folder, application)))
    await scope.register(async pages => {
      await pages.register(fastifyHelmet, pageHeaders(documents.flatMap(({ html }) => html ?? [])))
      for (const document of documents) serveDocument(pages, document)
      const [first] = applications
      if (first) pages.get('/', HIDDEN, async (_request, reply) => reply.redirect(first.base))
    })
    if (documents.some(({ html }) => html !== null)) {
      await scope.register(assets => serveAssets(assets, folder))
    }
  })
}

/** `html` is null when the application is not built. */
type Document = { readonly base: string; readonly html: string | null }

async function readDocument(folder: string, { base, document }: WebApplication): Promise<Document> {
  return { base, html: await readFile(join(folder, document), 'utf8').catch(() => null) }
}

function serveDocument(scope: FastifyInstance, { base, html }: Document): void {
  scope.get(base.slice(0, -1), HIDDEN, async (_request, reply) => reply.redirect(base))
  scope.route({
    method: ['GET', 'HEAD'],
    url: `${base}*`,
    ...HIDDEN,
    handler: async (_request, reply) =>
      reply
        .code(html === null ? 503 : 200)
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(html ?? NOT_BUILT),
  })
}

async function serveAssets(scope: FastifyInstance, folder: string): Promise<void> {
  await scope.register(fastifyHelmet, ASSET_HEADERS)
  await scope.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: YEAR_MS,
  })
}
