/**
 * What Google means by an error: a key that is not valid is a bad request to it, and none of the caller's doing.
 * https://ai.google.dev/gemini-api/docs/troubleshooting (2026-11)
 */
export function googleStatusMeant(status: number, body: unknown): number {
  return status === 400 && JSON.stringify(body).includes('API_KEY_INVALID') ? 401 : status
}
