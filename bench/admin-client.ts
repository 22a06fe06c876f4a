import type { z } from 'zod'

/** Speaks to the gateway's admin routes as the admin application does: with a session cookie. */
export type AdminClient = {
  get<Schema extends z.ZodType>(path: string, reply: Schema): Promise<z.output<Schema>>
  post<Schema extends z.ZodType>(path: string, body: object, reply: Schema): Promise<z.output<Schema>>
}

const CALL_TIMEOUT_MS = 20_000

async function call(origin: string, path: string, options: RequestInit): Promise<Response> {
  const response = await fetch(origin + path, { ...options, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) })
  if (response.ok) return response
  const text = (await response.text()).slice(0, 500)
  throw new Error(`${options.method} ${path} answered ${response.status}: ${text}`)
}

function jsonBody(body: object): RequestInit {
  return { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

export async function signInAsAdministrator(
  origin: string,
  credentials: { readonly email: string; readonly password: string },
): Promise<AdminClient> {
  const signedIn = await call(origin, '/admin/sign-in', jsonBody(credentials))
  const cookie = signedIn.headers
    .getSetCookie()
    .map(line => line.split(';', 1)[0])
    .join('; ')
  return {
    get: async (path, reply) => {
      const response = await call(origin, path, { method: 'GET', headers: { cookie } })
      return reply.parse(await response.json())
    },
    post: async (path, body, reply) => {
      const options = jsonBody(body)
      const headers = { ...options.headers, cookie }
      const response = await call(origin, path, { ...options, headers })
      return reply.parse(await response.json())
    },
  }
}
