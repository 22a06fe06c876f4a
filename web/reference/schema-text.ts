import type { Document, Schema } from './openapi.ts'
import { resolve } from './openapi.ts'

/** What a schema allows, in a few words: `integer, 1 to 100`, `"hour" or "day"`, `list of ApiKey`. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'object'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' or ')
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return [...new Set(alternatives.map(typeText))].join(' or ')
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return 'anything'
  return types.map(type => plainType(type, schema)).join(' or ')
}

function plainType(type: string, schema: Schema): string {
  switch (type) {
    case 'array':
      return schema.items ? `list of ${typeText(schema.items)}` : 'list'
    case 'object':
      return isMap(schema) ? `map of ${typeText(schema.additionalProperties)}` : 'object'
    case 'integer':
    case 'number':
      return `${type}${rangeText(schema.minimum, schema.maximum)}`
    case 'string':
      return `${formatText(schema.format)}${rangeText(schema.minLength, schema.maxLength, ' characters')}`
    default:
      return type
  }
}

type OfMap = Schema & { readonly additionalProperties: Schema }

/** Whether an object's names are free and its values alike; one with names of its own may hold more beside them. */
function isMap(schema: Schema): schema is OfMap {
  const { additionalProperties: values, properties = {} } = schema
  return typeof values === 'object' && Object.keys(values).length > 0 && Object.keys(properties).length === 0
}

function formatText(format: string | undefined): string {
  return format === undefined ? 'text' : format
}

function rangeText(from: number | undefined, to: number | undefined, unit = ''): string {
  const number = new Intl.NumberFormat('en')
  if (from !== undefined && to !== undefined) return `, ${number.format(from)} to ${number.format(to)}${unit}`
  if (from === 1 && unit !== '') return ', not empty'
  if (from !== undefined) return `, ${number.format(from)}${unit} or more`
  return to === undefined ? '' : `, up to ${number.format(to)}${unit}`
}

/** The fields that stand within a schema, wherever it keeps them: itself, in a list, or beside null; null for none. */
export function fieldsOf(document: Document, schema: Schema): Schema | null {
  const resolved = resolve(document, schema)
  if (resolved.properties) return resolved
  if (resolved.items) return fieldsOf(document, resolved.items)
  if (typeof resolved.additionalProperties === 'object')
    return fieldsOf(document, resolved.additionalProperties)
  const within = (resolved.anyOf ?? resolved.oneOf ?? []).map(one => fieldsOf(document, one))
  return within.find(fields => fields !== null) ?? null
}
