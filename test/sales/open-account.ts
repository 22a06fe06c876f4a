export type Reply = {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: replies are read as JSON is, and each test says what it expects
  readonly body: any
}

export type Buyer = {
  readonly accountId: string
  call(method: string, path: string, body?: unknown): Promise<Reply>
}

let people = 0

/** Signs somebody up. The address is asked for at each call: a service that is started again has another one. */
export async function openAccount(url: () => string): Promise<Buyer> {
  const response = await fetch(`${url()}/client/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `buyer${++people}@example.org`,
      password: 'correct horse battery',
      name: 'A <b>buyer</b>',
    }),
  })
  const cookie = (response.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  const me = (await response.json()) as { account: { id: string } }
  return {
    accountId: me.account.id,
    call: async (method, path, body) => {
      const reply = await fetch(`${url()}${path}`, {
        method,
        headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await reply.text()
      return { status: reply.status, body: text.startsWith('{') ? JSON.parse(text) : text }
    },
  }
}
