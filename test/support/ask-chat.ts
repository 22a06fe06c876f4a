import { type Answer, readAnswer } from './stage.ts'

export type ChatQuestion = {
  /** Of the service. */
  readonly url: string
  readonly token: string
  readonly model: string
  readonly content?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Asks a model as any program does, and reads the answer to its end. */
export async function askChat({ url, token, model, content = 'Hi', headers }: ChatQuestion): Promise<Answer> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model, messages: [{ role: 'user', content }] }),
  })
  return readAnswer(response)
}
