/** The reference is true: it has every route, every error, and examples that are what they say. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusals } from '#contract/errors.ts'
import { NAMED_SCHEMAS } from '#server/reference/named-schemas.ts'
import type { OpenapiDocument } from '#server/reference/openapi-document.ts'
import { templateOf } from '#server/reference/openapi-document.ts'
import { TAGS } from '#server/reference/operation.ts'
import { OPERATIONS } from '#server/reference/operations.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'

type Response = {
  description: string
  headers?: object
  content?: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>
}
type Entry = {
  method: string
  path: string
  operation: OpenapiDocument['paths'][string][string] & { responses: Record<string, Response> }
}

let gateway: TestGateway
let document: OpenapiDocument
let entries: Entry[]
beforeAll(async () => {
  gateway = await startGateway()
  document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as OpenapiDocument // it is what is tested
  entries = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method,
      path,
      operation: operation as Entry['operation'],
    })),
  )
})
afterAll(() => gateway.close())

const nameOf = ({ method, path }: Pick<Entry, 'method' | 'path'>) => `${method.toUpperCase()} ${path}`

describe('the document', () => {
  test('has words for every route that is registered', () => {
    expect(entries.filter(({ operation }) => operation.summary === '').map(nameOf)).toEqual([])
    expect(entries.filter(({ operation }) => !operation.tags.every(tag => tag in TAGS)).map(nameOf)).toEqual(
      [],
    )
  })

  test('has no words for a route that is not there', () => {
    const there = new Set(entries.map(nameOf))
    const described = Object.entries(OPERATIONS)
      .filter(([, { isOptional }]) => !isOptional)
      .map(([key]) => {
        const [method = '', path = ''] = key.split(' ')
        return `${method} ${templateOf(path)}`
      })
    expect(described.filter(name => !there.has(name))).toEqual([])
  })

  test('refers to nothing that it does not hold, and names each operation once', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
    expect(references.length).toBeGreaterThan(50)
    for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty(name)
    const ids = entries.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('is the same until the service changes, and says so to caches', async () => {
    const first = await fetch(`${gateway.url}/openapi.json`)
    const etag = first.headers.get('etag') ?? ''
    expect((await fetch(`${gateway.url}/openapi.json`, { headers: { 'if-none-match': etag } })).status).toBe(
      304,
    )
  })
})

describe('an example', () => {
  test('of a schema is one', () => {
    const wrong: string[] = []
    for (const [name, { examples }] of Object.entries(document.components.schemas)) {
      const schema = NAMED_SCHEMAS.get(name) ?? NAMED_SCHEMAS.get(name.replace(/Input$/, ''))
      const [example] = (examples ?? []) as unknown[] // JSON Schema leaves open what examples are
      const problem = schema?.safeParse(example).error
      if (!schema || problem) wrong.push(`${name}: ${problem?.message} ${JSON.stringify(example)}`)
    }
    expect(wrong).toEqual([])
  })

  test('stands with every body and every reply that is JSON', () => {
    const bare: string[] = []
    for (const entry of entries) {
      for (const [status, { content = {} }] of Object.entries(entry.operation.responses)) {
        for (const [type, { example, examples }] of Object.entries(content)) {
          if (type === 'application/json' && example === undefined && !examples)
            bare.push(`${nameOf(entry)} ${status}`)
        }
      }
    }
    expect(bare).toEqual([])
  })
})

describe('the errors', () => {
  test('of the contract are all there, each with its type and code', () => {
    const documented = new Set<string>()
    for (const { operation } of entries) {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        for (const { value } of Object.values(content?.['application/json']?.examples ?? {})) {
          const { error } = value as { error: { type: string; code?: string | null } } // every example of an error is an envelope
          documented.add(`${status} ${error.type} ${error.code ?? null}`)
        }
      }
    }
    const of = ({ status, type, code }: ReturnType<typeof refusals.internal>) => `${status} ${type} ${code}`
    const table = [
      refusals.unauthenticated(''),
      refusals.rateLimited(),
      refusals.concurrencyReached(1),
      refusals.creditsExhausted(),
      refusals.upstreamThrottled(1),
      refusals.invalid(''),
      refusals.modelNotFound(''),
      refusals.modelNotSupported('', ''),
      refusals.tooLarge(1),
      refusals.unsupportedMediaType(),
      refusals.forbidden(''),
      refusals.notFound(),
      refusals.methodNotAllowed(''),
      refusals.conflict(''),
      refusals.internal(),
      refusals.upstreamFailed(),
      refusals.unavailable(''),
      refusals.upstreamTimedOut(),
    ]
    for (const refusal of table) expect(documented).toContain(of(refusal))
  })

  test('that a stranger meets are those that are documented', async () => {
    const wrong: string[] = []
    for (const entry of entries) {
      const { method, path, operation } = entry
      const response = await fetch(gateway.url + path.replace(/\{\w+\}/g, 'none'), {
        method: method.toUpperCase(),
        ...(method === 'get' ? {} : { headers: { 'content-type': 'application/json' }, body: '{}' }),
      })
      await response.arrayBuffer()
      const expected = operation.security.length > 0 ? ['401'] : Object.keys(operation.responses)
      if (!expected.includes(String(response.status)))
        wrong.push(`${nameOf(entry)} answered ${response.status}`)
    }
    expect(wrong).toEqual([])
  })
})
