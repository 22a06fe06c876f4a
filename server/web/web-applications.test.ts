import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHttpApp, type HttpApp } from '#server/http/frame.ts'
import { silentLog } from '#telemetry/log.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'
import { registerWebApplications } from './web-applications.ts'

const SCRIPT = "document.documentElement.dataset.theme = 'dark'"
const HTML = `<!doctype html><script>${SCRIPT}</script><script type="module" src="/assets/portal-abc.js"></script>`

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>
let app: HttpApp
let unbuilt: HttpApp
beforeAll(async () => {
  folder = await makeTemporaryFolder()
  await mkdir(join(folder.path, 'portal'))
  await mkdir(join(folder.path, 'assets'))
  await writeFile(join(folder.path, 'portal/index.html'), HTML)
  await writeFile(join(folder.path, 'assets/portal-abc.js'), 'plain')
  await writeFile(join(folder.path, 'assets/portal-abc.js.br'), 'brotli')
  await writeFile(join(folder.path, 'assets/portal-abc.js.gz'), 'gzip')
  app = await startApp(folder.path)
  unbuilt = await startApp(join(folder.path, 'nothing'))
})
afterAll(async () => {
  await app.close()
  await unbuilt.close()
  await folder.remove()
})

async function startApp(path: string): Promise<HttpApp> {
  const app = createHttpApp({ log: silentLog, trustProxy: false })
  registerWebApplications(app, { folder: path })
  await app.ready()
  return app
}

describe('a document', () => {
  test.each(['/portal/', '/portal/keys', '/portal/models/a/b?tab=1'])(
    'answers %s, and is never cached',
    async url => {
      const reply = await app.inject(url)
      expect(reply.body).toBe(HTML)
      expect(reply.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'x-frame-options': 'DENY',
      })
    },
  )

  test('lets no script run but files of ours and the one that it holds', async () => {
    const policy = String((await app.inject('/portal/')).headers['content-security-policy'])
    const hash = createHash('sha256').update(SCRIPT).digest('base64')
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(policy).not.toMatch(/https?:/)
  })

  test.each(['/', '/portal'])('is where %s leads', async url => {
    expect(await app.inject(url)).toMatchObject({ statusCode: 302, headers: { location: '/portal/' } })
  })

  test('that was never built is a page that says so, and nothing else is missing', async () => {
    const reply = await unbuilt.inject('/portal/keys')
    expect(reply.statusCode).toBe(503)
    expect(reply.body).toContain('npm run build')
  })
})

describe('an asset', () => {
  test.each([
    ['br, gzip', 'brotli', 'br'],
    ['gzip', 'gzip', 'gzip'],
    ['identity', 'plain', undefined],
  ])('is sent as it was compressed by the build to whoever takes %s', async (accepted, body, encoding) => {
    const reply = await app.inject({ url: '/assets/portal-abc.js', headers: { 'accept-encoding': accepted } })
    expect(reply.body).toBe(body)
    expect(reply.headers['content-encoding']).toBe(encoding)
    expect(reply.headers['content-type']).toMatch(/javascript/)
    expect(reply.headers.vary).toMatch(/accept-encoding/i)
  })

  test('opened by itself can do nothing, and is taken for nothing else', async () => {
    const { headers } = await app.inject('/assets/portal-abc.js')
    expect(headers['content-security-policy']).toBe("default-src 'none'")
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
    expect(headers['referrer-policy']).toBe('no-referrer')
  })

  test('may be kept for a year, since its name changes with its content', async () => {
    const { headers } = await app.inject('/assets/portal-abc.js')
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  test.each(['/assets/portal-old.js', '/assets/..%2fportal/index.html'])(
    '%s is not there: 404',
    async url => {
      const reply = await app.inject(url)
      expect(reply.statusCode).toBe(404)
      expect(reply.json().error.type).toBe('not_found_error')
    },
  )

  test('is only there to be read', async () => {
    const reply = await app.inject({ method: 'DELETE', url: '/assets/portal-abc.js' })
    expect(reply).toMatchObject({ statusCode: 405, headers: { allow: 'HEAD, GET' } })
  })
})
