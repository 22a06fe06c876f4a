import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { ApiError } from './api-error.ts'
import { type RefusableFields, refusalOfField } from './field-refusal.ts'

export type FormOptions<Schema extends z.ZodObject, Reply> = {
  /** Of the contract: what the route takes. */
  readonly schema: Schema
  readonly submit: (values: z.output<Schema>) => Promise<Reply>
  readonly onDone?: (reply: Reply) => void
  /** What to say of a field that the schema refuses, in words for people. */
  readonly messages?: Partial<Record<keyof z.output<Schema> & string, string>>
  /** The fields at which refusals of the service are told that name them; all others are told above the form. */
  readonly refusable?: RefusableFields
  /** What to say of a refusal; the service's own message when this gives none. */
  readonly explain?: (error: ApiError) => string | undefined
}

/**
 * A form by a schema of the contract: checks before it sends, ties errors to fields, and keeps the rest for the form.
 * `formProps` are for `Form`, `pending` is for its button.
 */
export function useForm<Schema extends z.ZodObject, Reply>(options: FormOptions<Schema, Reply>) {
  const { schema, submit, onDone, messages = {}, refusable = NONE, explain } = options
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const tellAtField = (error: ApiError) => (explain?.(error) ? null : refusalOfField(error, refusable))
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: submit,
    onSuccess: onDone,
    onError: error => setErrors(tellAtField(error) ?? {}),
  })
  return {
    pending: isPending,
    reset,
    /** For fields that bear on each other: what was wrong with one may have been made good at another. */
    forgetErrors: () => setErrors(known => (Object.keys(known).length === 0 ? known : {})),
    formProps: {
      errors,
      failure: error && !tellAtField(error) && (explain?.(error) ?? error.message),
      onFormSubmit: (values: Record<string, unknown>) => {
        if (isPending) return
        const parsed = schema.safeParse(values)
        setErrors(parsed.success ? {} : errorsByField(parsed.error, messages, refusable.lists))
        if (parsed.success) mutate(parsed.data)
      },
    },
  }
}

const NONE: RefusableFields = { fields: [], lists: [] }

function errorsByField(
  error: z.ZodError,
  messages: Partial<Record<string, string>>,
  lists: readonly string[],
): Record<string, string> {
  const entries = error.issues.map(({ path, message }): [string, string] => {
    const name = String(path[0])
    return lists.includes(name) ? [path.join('.'), message] : [name, messages[name] ?? message]
  })
  return Object.fromEntries(entries)
}
