import { useId } from 'react'
import { type EndpointName, endpointName } from '#contract/usage.ts'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { ENDPOINT_LABELS } from '#web/usage/model-words.ts'

export type EndpointChoiceProps = {
  readonly legend: string
  readonly description: string
  /** Those that are chosen before anything is changed. */
  readonly chosen: readonly EndpointName[]
  readonly error: string | undefined
}

/** What can be asked of something: one box a route. Stands in a `Form`, whose values `chosenEndpoints` reads. */
export function EndpointChoice({ legend, description, chosen, error }: EndpointChoiceProps) {
  const id = useId()
  return (
    <fieldset aria-describedby={`${id}-description ${id}-error`}>
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      <p id={`${id}-description`} className="mb-3 text-sm text-muted">
        {description}
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        {endpointName.options.map(name => (
          <CheckboxField
            key={name}
            name={fieldOf(name)}
            label={ENDPOINT_LABELS[name]}
            defaultChecked={chosen.includes(name)}
          />
        ))}
      </div>
      <p id={`${id}-error`} role="alert" className="mt-2 text-sm text-bad empty:hidden">
        {error}
      </p>
    </fieldset>
  )
}

const fieldOf = (name: EndpointName) => `endpoint.${name}`

/** Those whose boxes are checked in the values of a form. */
export function chosenEndpoints(values: Record<string, unknown>): EndpointName[] {
  return endpointName.options.filter(name => values[fieldOf(name)] === true)
}
