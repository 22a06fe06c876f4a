import type { RequestAttempt } from '#contract/usage.ts'

/** The story of a request's attempts as its record keeps it. */
export function attemptsToJson(attempts: readonly RequestAttempt[]): string {
  return JSON.stringify(attempts)
}

/** The story that was kept; nothing where there was none to tell. */
export function attemptsFromJson(json: string | null): RequestAttempt[] {
  // Written by the function above alone.
  return json === null ? [] : (JSON.parse(json) as RequestAttempt[])
}
