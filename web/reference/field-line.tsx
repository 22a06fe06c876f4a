import type { ReactNode } from 'react'
import type { Schema } from './openapi.ts'
import { typeText } from './schema-text.ts'
import { WrittenText } from './written-text.tsx'

export type FieldLineProps = {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly note?: string
  readonly description?: string
  /** The fields within this one. */
  readonly children?: ReactNode
}

/** One field: its name, what it may be, and what it means. */
export function FieldLine({ name, schema, isRequired, note, description, children }: FieldLineProps) {
  return (
    <li className="py-2.5 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-baseline gap-x-2.5 text-sm">
        <code className="font-mono font-semibold break-all">{name}</code>
        <span className="break-words text-muted">{typeText(schema)}</span>
        {isRequired ? <span className="text-xs font-medium text-gold">required</span> : null}
        {note !== undefined && <span className="text-xs text-muted">{note}</span>}
        {schema.default !== undefined && (
          <span className="text-xs text-muted">default {JSON.stringify(schema.default)}</span>
        )}
      </p>
      {description !== undefined && (
        <p className="text-sm text-muted">
          <WrittenText text={description} />
        </p>
      )}
      {children}
    </li>
  )
}
