import { toAnthropicEnvelope, toEnvelope } from '#contract/errors.ts'
import { createExamples } from './examples.ts'
import { createJsonSchemas, type JsonSchema, type JsonSchemas } from './json-schemas.ts'
import { type Access, type Operation, type Operations, type Refusal, TAGS } from './operation.ts'
import { listRefusals } from './refusal-cases.ts'
import type { CollectedRoute } from './route-collector.ts'
import { findUsedNames, plainNames, renameUsed } from './used-schemas.ts'

export type DocumentOptions = {
  readonly routes: readonly CollectedRoute[]
  readonly operations: Operations
  /** Where the service is found; null when that is not configured. */
  readonly publicUrl: string | null
}

/** An OpenAPI 3.1 document, as far as our own tests and pages look into it. */
export type OpenapiDocument = {
  readonly openapi: string
  readonly info: object
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenapiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

export type OpenapiOperation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security: readonly object[]
  readonly parameters: readonly object[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, object>>
}

/** The document of all routes. */
export function buildOpenapiDocument({ routes, operations, publicUrl }: DocumentOptions): OpenapiDocument {
  const schemas = createJsonSchemas()
  const examples = createExamples(schemas.components)
  const paths: Record<string, Record<string, OpenapiOperation>> = {}
  for (const route of routes) {
    // It answers as GET does, without the body.
    if (route.method === 'HEAD') continue
    const operation = operations[`${route.method} ${route.path}`] ?? UNDESCRIBED
    const path = templateOf(route.path)
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = describe(route, operation, { schemas, ...examples })
  }
  const used = findUsedNames(paths, schemas.components)
  const nameOf = plainNames(used)
  const named = [...used].sort().map(name => {
    const schema: JsonSchema = { ...schemas.components.get(name), examples: [examples.exampleOfNamed(name)] }
    return [nameOf(name), renameUsed(schema, nameOf)] as const
  })
  return {
    openapi: '3.1.0',
    info: INFO,
    ...(publicUrl === null ? {} : { servers: [{ url: publicUrl }] }),
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: renameUsed(paths, nameOf),
    components: { schemas: Object.fromEntries(named), ...SECURITY },
  }
}

/** A route without words is seen all the same. */
const UNDESCRIBED: Operation = { tag: 'Generation', summary: '' }

const INFO = {
  title: 'Goldweight',
  version: '1',
  description:
    'An AI inference gateway. Every error of every route has one envelope: branch on its status, `type` and `code`. ' +
    'Every response carries `x-request-id`, which the usage record carries too.',
} as const

const SECURITY = {
  securitySchemes: {
    key: { type: 'http', scheme: 'bearer', description: 'A `gw_` key.' },
    user: {
      type: 'apiKey',
      in: 'cookie',
      name: 'goldweight_client',
      description: 'A session of the portal.',
    },
    administrator: {
      type: 'apiKey',
      in: 'cookie',
      name: 'goldweight_admin',
      description: 'A session of the admin application.',
    },
  },
} as const

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description:
    'Makes and charges the request once: for 24 hours, one with the same key and body waits for it and gets its answer. A second stream is refused.',
} as const

type Means = { readonly schemas: JsonSchemas; readonly exampleOf: (schema: JsonSchema) => unknown }

function describe(route: CollectedRoute, operation: Operation, means: Means): OpenapiOperation {
  const { method, path, schema = {} } = route
  const access = operation.access ?? accessOf(path)
  const body = operation.body ?? schema.body
  const refusals = listRefusals({
    operation,
    access,
    method,
    path,
    takesBody: body !== undefined,
    takesQuery: schema.querystring !== undefined,
  })
  return {
    operationId: idOf(route),
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: access === 'anyone' ? [] : [{ [access]: [] }],
    parameters: [
      ...pathParameters(path),
      ...queryParameters(schema.querystring, means),
      ...(operation.takesIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(body === undefined && operation.bodyExample === undefined
      ? {}
      : { requestBody: requestBody(body, operation, means) }),
    responses: { ...replies(route, operation, means), ...errors(refusals, path) },
  }
}

function accessOf(path: string): Access {
  if (path.startsWith('/client/')) return 'user'
  return path.startsWith('/admin/') ? 'administrator' : 'anyone'
}

/** `/client/keys/:id` is `/client/keys/{id}`; all that follows a prefix is the id of a model, slashes and all. */
export function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace('*', '{model}')
}

function idOf({ method, path }: CollectedRoute): string {
  const words = path
    .replace('*', 'model')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
  return [method.toLowerCase(), ...words].join('_')
}

function pathParameters(path: string): object[] {
  return [...templateOf(path).matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(name === 'model'
      ? { description: 'May hold slashes, raw or percent-encoded.', example: 'acme/scale-1' }
      : {}),
  }))
}

function queryParameters(querystring: unknown, { schemas }: Means): object[] {
  const { properties = {}, required = [] } =
    querystring === undefined ? {} : resolve(schemas.of(querystring, 'input'), schemas)
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    ...(typeof schema === 'object' && schema.description !== undefined
      ? { description: schema.description }
      : {}),
  }))
}

function resolve(schema: JsonSchema, { components }: JsonSchemas): JsonSchema {
  return schema.$ref === undefined ? schema : (components.get(schema.$ref.split('/').at(-1) ?? '') ?? {})
}

function requestBody(
  body: unknown,
  { bodyType = 'application/json', bodyExample }: Operation,
  means: Means,
): object {
  const schema = means.schemas.of(body, 'input')
  const example = bodyExample ?? means.exampleOf(schema)
  return { required: true, content: { [bodyType]: { schema, example } } }
}

function replies(
  { schema = {} }: CollectedRoute,
  operation: Operation,
  means: Means,
): Record<string, object> {
  const { reply, replyType, replyExample } = operation
  // What is no JSON is not what the framework's schema says, which stands for its refusals at most.
  const declared = replyType === undefined ? Object.entries(schema.response ?? {}) : []
  if (declared.length === 0) {
    const type = replyType ?? 'application/json'
    const content =
      reply === undefined
        ? { ...(replyExample === undefined ? {} : { schema: { type: 'object' }, example: replyExample }) }
        : jsonContent(reply, means)
    return { 200: { description: 'As asked', content: { [type]: content } } }
  }
  return Object.fromEntries(
    declared.map(([status, content]) => [
      status,
      status === '204'
        ? { description: 'Done' }
        : { description: 'As asked', content: { 'application/json': jsonContent(content, means) } },
    ]),
  )
}

function jsonContent(reply: unknown, { schemas, exampleOf }: Means): object {
  const schema = schemas.of(reply, 'output')
  return { schema, example: exampleOf(schema) }
}

/** One response a status, with an example for each case that has it. */
function errors(refusals: readonly Refusal[], path: string): Record<string, object> {
  const byStatus = Map.groupBy(refusals, ({ error }) => error.status)
  const isAnthropic = path === '/v1/messages'
  const schema = { $ref: `#/components/schemas/${isAnthropic ? 'AnthropicErrorEnvelope' : 'ErrorEnvelope'}` }
  const bodyOf = ({ error }: Refusal) =>
    isAnthropic ? toAnthropicEnvelope(error, 'req_01k9s50b4d') : toEnvelope(error)
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, cases]) => [
        String(status),
        {
          description: cases.map(({ when }) => when).join('; '),
          ...headersOf(cases),
          content: {
            'application/json': {
              schema,
              examples: Object.fromEntries(
                cases.map((one, index) => [`case_${index + 1}`, { summary: one.when, value: bodyOf(one) }]),
              ),
            },
          },
        },
      ]),
  )
}

function headersOf(cases: readonly Refusal[]): { headers?: object } {
  const names = new Set(cases.flatMap(({ error }) => Object.keys(error.headers ?? {})))
  if (names.size === 0) return {}
  return { headers: Object.fromEntries([...names].map(name => [name, { schema: { type: 'string' } }])) }
}
