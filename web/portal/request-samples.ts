import type { CodeSample } from '#web/ui/code-block.tsx'

/** Stands where the key goes: keys belong into the environment, not into code. */
const KEY_VARIABLE = 'GOLDWEIGHT_API_KEY'

export type SampleRequest = {
  /** Of this service, without a slash at the end. */
  readonly origin: string
  readonly model: string
  readonly prompt?: string
}

/** The same chat request for a shell, Python and TypeScript, with a placeholder for the key. */
export function chatSamples({ origin, model, prompt = 'Hello!' }: SampleRequest): CodeSample[] {
  const quoted = JSON.stringify(prompt)
  const body = `{
    "model": ${JSON.stringify(model)},
    "messages": [{"role": "user", "content": ${quoted}}]
  }`
  return [
    {
      language: 'curl',
      code: `curl ${origin}/v1/chat/completions \\
  -H "Authorization: Bearer $${KEY_VARIABLE}" \\
  -H "Content-Type: application/json" \\
  -d '${body.replaceAll("'", "'\\''")}'`,
    },
    {
      language: 'Python',
      code: `import os
from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key=os.environ["${KEY_VARIABLE}"])

completion = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": ${quoted}}],
)
print(completion.choices[0].message.content)`,
    },
    {
      language: 'TypeScript',
      code: `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${origin}/v1', apiKey: process.env.${KEY_VARIABLE} })

const completion = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: ${quoted} }],
})
console.log(completion.choices[0]?.message.content)`,
    },
  ]
}
