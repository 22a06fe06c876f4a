import type { CodeSample } from '#web/ui/code-block.tsx'
import type { Content, Entry } from './openapi.ts'

type Request = {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** null for none. */
  readonly body: unknown
}

/** A request for an operation in a shell, in Python and in TypeScript. */
export function operationSamples(entry: Entry, origin: string): CodeSample[] {
  const request = requestOf(entry, origin)
  return [
    { language: 'curl', code: curl(request) },
    { language: 'Python', code: python(request) },
    { language: 'TypeScript', code: typescript(request) },
  ]
}

const CREDENTIALS: Readonly<Record<string, readonly [string, string]>> = {
  key: ['Authorization', 'Bearer $GOLDWEIGHT_API_KEY'],
  user: ['Cookie', 'goldweight_client=$SESSION'],
  administrator: ['Cookie', 'goldweight_admin=$SESSION'],
}

const ID_EXAMPLES: readonly (readonly [part: string, id: string])[] = [
  ['/keys/', 'key_01k9s4v8m3'],
  ['/accounts/', 'acc_01k9s4t7w2'],
  ['/users/', 'usr_01k9s4x1p6'],
  ['/orders/', 'ord_01k9s52d9g'],
  ['/packages/', 'pkg_01k9s53f2h'],
  ['/providers/', 'prv_01k9s54g5j'],
  ['/sessions/', 'ses_01k9s56j1m'],
]

function requestOf({ method, path, parameters, requestBody, security }: Entry, origin: string): Request {
  const [type, content] = Object.entries<Content>(requestBody?.content ?? {})[0] ?? []
  const id = ID_EXAMPLES.find(([part]) => path.includes(part))?.[1] ?? 'id_01k9s4'
  const filled = path.replace('{model}', 'acme/scale-1').replace(/\{\w+\}/g, id)
  const needed = parameters.filter(parameter => parameter.in === 'query' && parameter.required)
  const query = needed.map(({ name }) => `${name}=${name === 'key_id' ? 'key_01k9s4v8m3' : '…'}`).join('&')
  const credential = CREDENTIALS[Object.keys(security[0] ?? {})[0] ?? '']
  return {
    method,
    url: `${origin}${filled}${query === '' ? '' : `?${query}`}`,
    headers: [
      ...(credential ? [credential] : []),
      ...(type === undefined ? [] : [['Content-Type', type] as const]),
    ],
    body: content?.example ?? null,
  }
}

const json = (value: unknown, indent: string) =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`)

function curl({ method, url, headers, body }: Request): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${url}'`,
    ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === null ? [] : [`-d '${json(body, '  ').replaceAll("'", "'\\''")}'`]),
  ]
  return lines.join(' \\\n  ')
}

function python({ method, url, headers, body }: Request): string {
  const values = headers
    .filter(([name]) => name !== 'Content-Type')
    .map(([name, value]) => `"${name}": ${pythonText(value)}`)
  const options = [
    ...(values.length === 0 ? [] : [`headers={${values.join(', ')}}`]),
    ...(body === null ? [] : [`json=${pythonLiteral(json(body, '    '))}`]),
  ]
  return `import os
import requests

reply = requests.request(
    "${method}",
    "${url}",
${options.map(option => `    ${option},\n`).join('')})
print(reply.status_code, reply.text)`
}

const pythonText = (value: string) =>
  value.replace(/^(.*)\$(\w+)$/, (_match, before, name) => `f"${before}{os.environ['${name}']}"`)

/** JSON's words for true, false and null, as Python has them; texts hold them as they are. */
function pythonLiteral(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\b(true|false|null)\b/g, (match, quoted) =>
    quoted !== undefined ? match : ({ true: 'True', false: 'False', null: 'None' }[match] ?? match),
  )
}

function typescript({ method, url, headers, body }: Request): string {
  const values = headers.map(([name, value]) => {
    const text = value.replace(/\$(\w+)/, (_match, variable) => `\${process.env.${variable}}`)
    return `    '${name}': ${text === value ? `'${value}'` : `\`${text}\``},`
  })
  const lines = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(values.length === 0 ? [] : ['  headers: {', ...values, '  },']),
    ...(body === null ? [] : [`  body: JSON.stringify(${json(body, '  ')}),`]),
  ]
  const options = lines.length === 0 ? '' : `, {\n${lines.join('\n')}\n}`
  return `const reply = await fetch('${url}'${options})
console.log(reply.status, await reply.text())`
}
