import type { PageCall } from './pages.ts'

export type Visitor = {
  /** Reads what a page asks for to its end; gives the milliseconds that it took, and its bytes. */
  read(call: PageCall): Promise<{ readonly ms: number; readonly bytes: number }>
  json(call: Pick<PageCall, 'path' | 'realm'>): Promise<unknown>
  /** Reads a file until its end or until it leaves; gives the bytes that came. */
  download(call: Pick<PageCall, 'path' | 'realm'>, leave: AbortSignal): Promise<number>
}

type Credentials = Readonly<Record<PageCall['realm'], { readonly email: string; readonly password: string }>>

/** Signs in to both applications, as browsers do. */
export async function openVisitor(origin: string, credentials: Credentials): Promise<Visitor> {
  const cookies = { client: '', admin: '' }
  for (const realm of ['client', 'admin'] as const) {
    const { email, password } = credentials[realm]
    const response = await fetch(`${origin}/${realm}/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    if (!response.ok) throw new Error(`signing in answered ${response.status}: ${await response.text()}`)
    cookies[realm] = response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  }

  async function get({ path, realm }: Pick<PageCall, 'path' | 'realm'>): Promise<string> {
    const response = await fetch(origin + path, { headers: { cookie: cookies[realm] } })
    const text = await response.text()
    if (response.ok) return text
    throw new Error(`void: ${path} answered ${response.status}: ${text.slice(0, 300)}`)
  }

  return {
    read: async call => {
      const startedMs = performance.now()
      const { length } = await get(call)
      return { ms: performance.now() - startedMs, bytes: length }
    },
    json: async call => JSON.parse(await get(call)),
    download: async ({ path, realm }, signal) => {
      let bytes = 0
      try {
        const { body } = await fetch(origin + path, { headers: { cookie: cookies[realm] }, signal })
        for await (const piece of body ?? []) bytes += piece.length
      } catch (error) {
        if (!signal.aborted) throw error
      }
      return bytes
    },
  }
}
