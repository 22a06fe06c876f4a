import type { z } from 'zod'
import { type ApiError, readApiError, unexpectedReply, unreachable } from './api-error.ts'

/** What came of a call: the parsed reply, or an error of the contract. */
export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ApiError }

export type Call<Reply extends z.ZodType> = {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Starts with a slash; ids in it have gone through `encodeURIComponent`. */
  readonly path: string
  /** What is undefined is left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  /** Of the contract; every reply is held against it. */
  readonly reply: Reply
  readonly signal?: AbortSignal
}

/** Calls a route of the service. What it refuses is a value, and so is a network that fails; an abort throws. */
export async function call<Reply extends z.ZodType>(options: Call<Reply>): Promise<Result<z.output<Reply>>> {
  const response = await send(options)
  if (!response) return { ok: false, error: unreachable() }
  if (!response.ok) return { ok: false, error: await readApiError(response) }
  const text = await response.text().catch(() => null)
  const parsed = options.reply.safeParse(text === null ? undefined : parseJson(text))
  if (parsed.success) return { ok: true, value: parsed.data }
  const requestId = response.headers.get('x-request-id')
  return {
    ok: false,
    error: unexpectedReply({ status: response.status, requestId, retryAfterSeconds: null }),
  }
}

/** The same for queries and mutations, which want an error thrown: throws an `ApiError`. */
export async function callOrThrow<Reply extends z.ZodType>(options: Call<Reply>): Promise<z.output<Reply>> {
  const result = await call(options)
  if (!result.ok) throw result.error
  return result.value
}

/** Sends the request and gives the answer as it begins to come, for streams; null when the service is not reached. */
export async function send(options: Omit<Call<z.ZodType>, 'reply'>): Promise<Response | null> {
  const { method = 'GET', path, query = {}, body, signal } = options
  try {
    return await fetch(withQuery(path, query), {
      method,
      credentials: 'same-origin',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    return null
  }
}

/** An address with its query, for what is not called but followed, such as a file to keep. */
export function withQuery(path: string, query: NonNullable<Call<z.ZodType>['query']>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`
}

/** An empty answer is null, as the contract's schemas of a 204 have it. */
function parseJson(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
