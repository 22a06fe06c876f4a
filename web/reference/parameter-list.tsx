import { FieldLine } from './field-line.tsx'
import type { Parameter } from './openapi.ts'

const PLACES = { path: 'in the path', query: 'in the query' } as const

export function ParameterList({ parameters }: { readonly parameters: readonly Parameter[] }) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {parameters.map(parameter => (
        <FieldLine
          key={`${parameter.in} ${parameter.name}`}
          name={parameter.name}
          schema={parameter.schema}
          isRequired={parameter.required}
          note={PLACES[parameter.in]}
          description={parameter.description}
        />
      ))}
    </ul>
  )
}
