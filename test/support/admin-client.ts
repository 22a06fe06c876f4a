/** Speaks the admin API as an operator's script would: over HTTP, with the cookie of a sign-in. */

export const ADMIN = { email: 'root@example.org', password: 'correct horse battery' } as const

export const WEIGHTS = { input: 2, cache_read: 0.5, cache_write: 3, output: 10 } as const

export type AdminClient = {
  /** Calls a route and gives the parsed answer; throws when it is not in the 200s. */
  call<Answer = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer>
}

export async function signInAsAdmin(url: string): Promise<AdminClient> {
  const signedIn = await fetch(`${url}/admin/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  if (!signedIn.ok) throw new Error(`Signing in failed: ${signedIn.status} ${await signedIn.text()}`)
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  return {
    call: async (method, path, body) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    },
  }
}

export type KeyLimitsInput = { requests?: number; window_seconds?: number; concurrency?: number }

export type NewCaller = {
  readonly accountId: string
  readonly userId: string
  readonly keyId: string
  readonly token: string
}

let made = 0

/** Makes an account with credits and one key. */
export async function makeCaller(
  admin: AdminClient,
  { credits = 1_000, limits = {} as KeyLimitsInput } = {},
): Promise<NewCaller> {
  const owner = { email: `user${++made}@example.org`, name: 'A user', password: 'long enough password' }
  const account = await admin.call<{ id: string; owner: { id: string } }>('POST', '/admin/accounts', {
    name: 'An account',
    owner,
  })
  if (credits > 0) {
    await admin.call('POST', `/admin/accounts/${account.id}/credits`, {
      amount: credits,
      kind: 'grant',
      note: '',
    })
  }
  const key = await admin.call<{ id: string; token: string }>('POST', '/admin/keys', {
    user_id: account.owner.id,
    name: 'A key',
    limits,
  })
  return { accountId: account.id, userId: account.owner.id, keyId: key.id, token: key.token }
}

export type NewRoute = {
  readonly kind?: string
  readonly baseUrl: string
  readonly upstreamModel?: string
  readonly priority?: number
  readonly weight?: number
  readonly cost?: number
  readonly timeouts?: { connect_ms?: number; first_byte_ms?: number; idle_ms?: number }
}

/** Makes a model with a provider of its own for each route. */
export async function makeModel(
  admin: AdminClient,
  id: string,
  {
    routes,
    endpoints = ['chat'],
    weights = WEIGHTS,
    unitWeights,
    routing,
  }: {
    routes: readonly NewRoute[]
    endpoints?: string[]
    weights?: Record<string, number>
    unitWeights?: Record<string, number>
    routing?: object
  },
): Promise<void> {
  const made = []
  for (const [index, route] of routes.entries()) {
    const provider = await admin.call<{ id: string }>('POST', '/admin/providers', {
      name: `${id} upstream ${index}`,
      kind: route.kind ?? 'openai',
      base_url: route.baseUrl,
      credential: `sk-upstream-${index}`,
      ...(route.timeouts ? { timeouts: route.timeouts } : {}),
    })
    made.push({
      provider_id: provider.id,
      upstream_model: route.upstreamModel ?? 'upstream-model',
      priority: route.priority ?? index,
      ...(route.weight === undefined ? {} : { weight: route.weight }),
      ...(route.cost === undefined ? {} : { cost: route.cost }),
    })
  }
  await admin.call('POST', '/admin/models', {
    id,
    endpoints,
    weights,
    ...(unitWeights ? { unit_weights: unitWeights } : {}),
    ...(routing ? { routing } : {}),
    routes: made,
  })
}
