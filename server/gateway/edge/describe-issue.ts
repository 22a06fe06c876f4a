import type { z } from 'zod'

/** What is wrong with a body, naming the field. */
export function describeIssue(error: z.ZodError): string {
  const [issue] = error.issues
  if (!issue) return 'The request body is not valid'
  const path = issue.path.join('.')
  return path ? `${path}: ${issue.message}` : `The request body must be a JSON object: ${issue.message}`
}
