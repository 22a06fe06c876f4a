import { FIELD_EXAMPLES, ID_EXAMPLES, MOMENT_EXAMPLE, NAMED_EXAMPLES } from './example-values.ts'
import type { JsonSchema } from './json-schemas.ts'

const COMPONENTS = '#/components/schemas/'

/** Makes an example of a schema: each field by its name where that tells what to write, else by its type. */
export function createExamples(components: ReadonlyMap<string, JsonSchema>) {
  /** A schema with a name may say of some of its fields what they are like. */
  function exampleOfNamed(name: string): unknown {
    const schema = components.get(name) ?? {}
    const own = NAMED_EXAMPLES[name.replace(/Input$/, '')]
    const example = exampleOf(schema)
    return own && typeof example === 'object' ? { ...example, ...own } : example
  }

  function exampleOf(schema: JsonSchema, field = ''): unknown {
    const known = FIELD_EXAMPLES[field]
    if (known !== undefined && fits(schema, known)) return known
    if (schema.$ref !== undefined) return exampleOfNamed(schema.$ref.slice(COMPONENTS.length))
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return schema.enum[0]
    if (schema.default !== undefined) return schema.default
    const alternatives = schema.anyOf ?? schema.oneOf
    if (alternatives) return exampleOf(firstOf(alternatives), field)
    return byType(schema, field)
  }

  function byType(schema: JsonSchema, field: string): unknown {
    switch ([schema.type].flat()[0]) {
      case 'object':
        return objectExample(schema)
      case 'array': {
        const { items } = schema
        return typeof items === 'object' && !Array.isArray(items) ? [exampleOf(items, '')] : []
      }
      case 'integer':
      case 'number':
        return schema.minimum ?? 1
      case 'boolean':
        return true
      case 'string':
        return textExample(schema, field)
      default:
        return null
    }
  }

  function objectExample({ properties = {} }: JsonSchema): Record<string, unknown> {
    const kind = properties.object
    const id =
      typeof kind === 'object' && typeof kind.const === 'string' ? ID_EXAMPLES[kind.const] : undefined
    const entries = Object.entries(properties).map(([name, value]) => [
      name,
      name === 'id' && id !== undefined ? id : exampleOf(typeof value === 'object' ? value : {}, name),
    ])
    return Object.fromEntries(entries)
  }

  return { exampleOf, exampleOfNamed }
}

/** What may be null is shown as what it is when it is not. */
function firstOf(alternatives: readonly JsonSchema[]): JsonSchema {
  return alternatives.find(({ type }) => type !== 'null') ?? {}
}

function textExample({ format }: JsonSchema, field: string): string {
  if (format === 'date-time') return MOMENT_EXAMPLE
  if (format === 'email') return 'ama@example.org'
  if (format === 'uri') return 'https://api.acme.example/v1'
  return field.endsWith('_at') ? MOMENT_EXAMPLE : `${field || 'text'}`
}

/** Whether a value may stand where the schema is: a name can mean a number here and a text there. */
function fits(schema: JsonSchema, value: unknown): boolean {
  const types = [schema, ...(schema.anyOf ?? [])].flatMap(({ type }) => type ?? [])
  if (schema.enum || schema.const !== undefined || schema.$ref !== undefined) return false
  // What a transform makes has no type that could be told.
  if (types.length === 0) return schema.anyOf === undefined && schema.oneOf === undefined
  if (value === null) return types.includes('null')
  if (typeof value === 'number')
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value))
  return types.includes(typeof value as 'string')
}
