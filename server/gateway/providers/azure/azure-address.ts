/**
 * Where Azure serves a deployment. New addresses end with `/openai/v1` and name the deployment in the body; older ones
 * name it in the path, and their base URL tells the version of the API in its query.
 * https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle (2026-11)
 */
export function azureUrl(baseUrl: string, deployment: string, path: string): string {
  const base = new URL(baseUrl)
  if (base.search === '') return `${baseUrl}${path}`
  return `${base.origin}${base.pathname}/deployments/${encodeURIComponent(deployment)}${path}${base.search}`
}

/** A token of Entra stands behind its scheme; all else is a key of the resource. */
export function azureAuthorization(credential: string): Record<string, string> {
  return credential.startsWith('Bearer ') ? { authorization: credential } : { 'api-key': credential }
}
