import type { CodeSample } from '#web/ui/code-block.tsx'

/** Stands where the key goes: keys belong into the environment, not into code. */
const KEY_VARIABLE = 'GOLDWEIGHT_API_KEY'

export type SampleMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }

export type SampleRequest = {
  /** Of this service, without a slash at the end. */
  readonly origin: string
  readonly model: string
}

const HELLO: readonly SampleMessage[] = [{ role: 'user', content: 'Hello!' }]

/** The same chat request for a shell, Python and TypeScript, with a placeholder for the key. */
export function chatSamples(
  request: SampleRequest & { readonly messages?: readonly SampleMessage[] },
): CodeSample[] {
  const { origin, model, messages = HELLO } = request
  // JSON's strings are strings of Python and TypeScript as well.
  const lines = messages.map(
    ({ role, content }) => `{"role": "${role}", "content": ${JSON.stringify(content)}}`,
  )
  const list = (indent: string) => `[\n${lines.map(line => `${indent}  ${line}`).join(',\n')}\n${indent}]`
  return [
    {
      language: 'curl',
      code: curl(
        `${origin}/v1/chat/completions`,
        `{
    "model": ${JSON.stringify(model)},
    "messages": ${list('    ')}
  }`,
      ),
    },
    {
      language: 'Python',
      code: python(
        origin,
        `completion = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=${list('    ')},
)
print(completion.choices[0].message.content)`,
      ),
    },
    {
      language: 'TypeScript',
      code: typescript(
        origin,
        `const completion = await client.chat.completions.create({
  model: ${JSON.stringify(model)},
  messages: ${list('  ')},
})
console.log(completion.choices[0]?.message.content)`,
      ),
    },
  ]
}

/** The same request for an embedding in three languages. */
export function embeddingSamples({ origin, model }: SampleRequest): CodeSample[] {
  const quoted = JSON.stringify(model)
  return [
    {
      language: 'curl',
      code: curl(`${origin}/v1/embeddings`, `{"model": ${quoted}, "input": "Hello!"}`),
    },
    {
      language: 'Python',
      code: python(
        origin,
        `reply = client.embeddings.create(model=${quoted}, input="Hello!")
print(reply.data[0].embedding)`,
      ),
    },
    {
      language: 'TypeScript',
      code: typescript(
        origin,
        `const reply = await client.embeddings.create({ model: ${quoted}, input: 'Hello!' })
console.log(reply.data[0]?.embedding)`,
      ),
    },
  ]
}

function curl(url: string, body: string): string {
  return `curl ${url} \\
  -H "Authorization: Bearer $${KEY_VARIABLE}" \\
  -H "Content-Type: application/json" \\
  -d '${body.replaceAll("'", "'\\''")}'`
}

function python(origin: string, call: string): string {
  return `import os
from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key=os.environ["${KEY_VARIABLE}"])

${call}`
}

function typescript(origin: string, call: string): string {
  return `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${origin}/v1', apiKey: process.env.${KEY_VARIABLE} })

${call}`
}
