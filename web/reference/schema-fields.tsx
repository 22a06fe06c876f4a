import { FieldLine } from './field-line.tsx'
import { type Document, resolve, type Schema } from './openapi.ts'
import { fieldsOf, typeText } from './schema-text.ts'

/** Deeper than this nothing of ours is; it only keeps a schema that holds itself from never ending. */
const MAX_DEPTH = 6

export type SchemaFieldsProps = {
  readonly document: Document
  readonly schema: Schema
  /** How many fields this one stands within. */
  readonly depth?: number
}

/** The fields of a schema; those within a field are folded away. */
export function SchemaFields({ document, schema, depth = 0 }: SchemaFieldsProps) {
  const fields = fieldsOf(document, schema)
  if (!fields?.properties || depth > MAX_DEPTH)
    return <p className="text-sm text-muted">{typeText(schema)}</p>
  const { properties, required = [] } = fields
  return (
    <ul className="flex flex-col divide-y divide-line">
      {Object.entries(properties).map(([name, property]) => (
        <FieldLine
          key={name}
          name={name}
          schema={property}
          isRequired={required.includes(name)}
          description={property.description ?? resolve(document, property).description}
        >
          {fieldsOf(document, property) && (
            <details className="mt-1.5">
              <summary className="cursor-pointer text-sm text-gold">Its fields</summary>
              <div className="mt-2 border-l border-line pl-4">
                <SchemaFields document={document} schema={property} depth={depth + 1} />
              </div>
            </details>
          )}
        </FieldLine>
      ))}
    </ul>
  )
}
