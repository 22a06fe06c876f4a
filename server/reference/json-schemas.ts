import { z } from 'zod'
import { NAMED_SCHEMAS } from './named-schemas.ts'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/** Whether a schema is of what comes in or of what goes out: they differ where there are defaults. */
export type Direction = 'input' | 'output'

/** The contract's schemas as JSON Schema. Those with a name stand once in the document, and are referred to. */
export type JsonSchemas = {
  /** The schema itself, or a reference to where its name leads; `{}`, which is anything, for what is no schema of ours. */
  of(schema: unknown, direction: Direction): JsonSchema
  /** Every schema that has a name, by its name in the document. */
  readonly components: ReadonlyMap<string, JsonSchema>
}

const LOCAL = '#/$defs/'
const COMPONENTS = '#/components/schemas/'

export function createJsonSchemas(): JsonSchemas {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of NAMED_SCHEMAS) registry.add(schema, { id })

  const common = { unrepresentable: 'any', override: simplify } as const
  const convertAll = (io: Direction, nameOf: (id: string) => string) =>
    z.toJSONSchema(registry, { ...common, io, uri: id => COMPONENTS + nameOf(id) }).schemas
  const outputs = convertAll('output', id => id)
  const differing = findDiffering(
    convertAll('input', id => id),
    outputs,
  )
  const inputName = (id: string) => (differing.has(id) ? `${id}Input` : id)
  const inputs = convertAll('input', inputName)

  const components = new Map<string, JsonSchema>(Object.entries(outputs))
  for (const id of differing) components.set(inputName(id), inputs[id] ?? {})
  for (const schema of components.values()) delete schema.$id

  return {
    components,
    of: (schema, io) => {
      if (!(schema instanceof z.ZodType)) return {}
      const { $defs: _, ...converted } = z.toJSONSchema(schema, { ...common, metadata: registry, io })
      return renameReferences(converted, io === 'input' ? inputName : id => id)
    },
  }
}

/** The names whose schema comes in otherwise than it goes out, itself or by what it refers to. */
function findDiffering(
  inputs: Readonly<Record<string, JsonSchema>>,
  outputs: Readonly<Record<string, JsonSchema>>,
): Set<string> {
  const texts = new Map(Object.entries(inputs).map(([id, schema]) => [id, JSON.stringify(schema)]))
  const differing = new Set(
    [...texts].filter(([id, text]) => text !== JSON.stringify(outputs[id])).map(([id]) => id),
  )
  for (let before = -1; before !== differing.size; ) {
    before = differing.size
    for (const [id, text] of texts) {
      if ([...differing].some(other => text.includes(`"${COMPONENTS}${other}"`))) differing.add(id)
    }
  }
  return differing
}

/** Takes out what says nothing to a reader: how dates are matched, the largest number there is, and that there is no more. */
function simplify({ jsonSchema }: { readonly jsonSchema: JsonSchema }): void {
  delete jsonSchema.$schema
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'email') delete jsonSchema.pattern
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

function renameReferences(schema: JsonSchema, nameOf: (id: string) => string): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(LOCAL)
      ? COMPONENTS + nameOf(value.slice(LOCAL.length))
      : value,
  )
}
