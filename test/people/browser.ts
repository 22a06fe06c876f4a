import type { HttpApp } from '#server/http/frame.ts'

export type Reply = {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: replies are read as JSON is, and each test says what it expects
  readonly body: any
  readonly headers: Record<string, unknown>
  /** The `name=value` part of the session cookie that the reply set; null when it set none. */
  readonly cookie: string | null
  /** Every cookie that the reply set, whole. */
  readonly cookies: readonly string[]
}

const SESSION_COOKIE = /^goldweight_(client|admin)=/

export type CallOptions = {
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** Calls routes as a browser does, with the cookie that it was given. */
export type Browser = {
  readonly cookie: string | null
  call(method: string, url: string, options?: CallOptions): Promise<Reply>
  get(url: string): Promise<Reply>
  post(url: string, body?: unknown): Promise<Reply>
  patch(url: string, body?: unknown): Promise<Reply>
  delete(url: string): Promise<Reply>
}

export function createBrowser(app: HttpApp, cookie: string | null = null): Browser {
  async function call(method: string, url: string, { body, headers = {} }: CallOptions = {}): Promise<Reply> {
    const response = await app.inject({
      // Any method is asked, also those that no route has.
      method: method as 'GET',
      url,
      headers: { ...(cookie === null ? {} : { cookie }), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const cookies = [response.headers['set-cookie'] ?? []].flat()
    const session = cookies.find(text => SESSION_COOKIE.test(text))
    return {
      status: response.statusCode,
      body: response.body === '' ? null : JSON.parse(response.body),
      headers: response.headers,
      cookie: session?.split(';', 1)[0] ?? null,
      cookies,
    }
  }
  return {
    cookie,
    call,
    get: url => call('GET', url),
    post: (url, body) => call('POST', url, { body }),
    patch: (url, body) => call('PATCH', url, { body }),
    delete: url => call('DELETE', url),
  }
}

/** A browser that keeps every cookie it is given, and forgets those that are taken back. */
export function createKeepingBrowser(app: HttpApp, fixed: Record<string, string> = {}): Browser {
  const jar = new Map<string, string>()
  const cookieText = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  async function call(method: string, url: string, { body, headers = {} }: CallOptions = {}): Promise<Reply> {
    const cookie = cookieText()
    const reply = await createBrowser(app, cookie === '' ? null : cookie).call(method, url, {
      body,
      headers: { ...fixed, ...headers },
    })
    for (const text of reply.cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (/; Max-Age=0\b/.test(text)) jar.delete(name)
      else jar.set(name, value)
    }
    return reply
  }
  return {
    get cookie() {
      return cookieText()
    },
    call,
    get: url => call('GET', url),
    post: (url, body) => call('POST', url, { body }),
    patch: (url, body) => call('PATCH', url, { body }),
    delete: url => call('DELETE', url),
  }
}

/** Signs up a user of the portal. */
export async function signUp(
  app: HttpApp,
  email: string,
  password = 'correct horse battery',
): Promise<Browser> {
  const reply = await createBrowser(app).post('/client/sign-up', { email, password, name: email })
  if (reply.status !== 201) throw new Error(`sign-up answered ${reply.status}`)
  return createBrowser(app, reply.cookie)
}

/** Signs in as an administrator. */
export async function signInAdministrator(
  app: HttpApp,
  pair: { readonly email: string; readonly password: string },
): Promise<Browser> {
  const reply = await createBrowser(app).post('/admin/sign-in', pair)
  if (reply.status !== 200) throw new Error(`sign-in answered ${reply.status}`)
  return createBrowser(app, reply.cookie)
}
