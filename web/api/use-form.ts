import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { ApiError } from './api-error.ts'

export type FormOptions<Schema extends z.ZodObject, Reply> = {
  /** Of the contract: what the route takes. */
  readonly schema: Schema
  readonly submit: (values: z.output<Schema>) => Promise<Reply>
  readonly onDone?: (reply: Reply) => void
  /** What to say of a field that the schema refuses, in words for people. */
  readonly messages?: Partial<Record<keyof z.output<Schema> & string, string>>
  /** What to say of a refusal; the service's own message when this gives none. */
  readonly explain?: (error: ApiError) => string | undefined
}

/**
 * A form by a schema of the contract: checks before it sends, ties errors to fields, and keeps the rest for the form.
 * `formProps` are for `Form`, `pending` is for its button.
 */
export function useForm<Schema extends z.ZodObject, Reply>(options: FormOptions<Schema, Reply>) {
  const { schema, submit, onDone, messages = {}, explain } = options
  const [errors, setErrors] = useState<Record<string, string>>({})
  const { mutate, isPending, error, reset } = useMutation({ mutationFn: submit, onSuccess: onDone })
  return {
    pending: isPending,
    reset,
    formProps: {
      errors,
      failure: error && (explain?.(error) ?? error.message),
      onFormSubmit: (values: Record<string, unknown>) => {
        if (isPending) return
        const parsed = schema.safeParse(values)
        setErrors(parsed.success ? {} : errorsByField(parsed.error, messages))
        if (parsed.success) mutate(parsed.data)
      },
    },
  }
}

function errorsByField(error: z.ZodError, messages: Partial<Record<string, string>>): Record<string, string> {
  const entries = error.issues.map(({ path: [field], message }): [string, string] => {
    const name = String(field)
    return [name, messages[name] ?? message]
  })
  return Object.fromEntries(entries)
}
