import type { FirstStart } from './first-start.ts'

/** What a first start prints once: where everything is, how to sign in, and a request to paste. */
export function greeting(base: string, { administrator, trial }: FirstStart): string | null {
  const lines: string[] = []
  if (administrator) {
    lines.push(
      'Administrator',
      `  e-mail      ${administrator.email}`,
      `  password    ${administrator.generatedPassword ?? 'as configured'}`,
      '',
    )
  }
  if (trial) {
    lines.push(
      'First account',
      `  e-mail      ${trial.owner.email}`,
      `  password    ${trial.owner.password}`,
      `  API key     ${trial.token}`,
      '',
      'Try it:',
      '',
      `  curl ${base}/v1/chat/completions \\`,
      `    -H 'Authorization: Bearer ${trial.token}' \\`,
      "    -H 'Content-Type: application/json' \\",
      `    -d '{"model": "${trial.model}", "messages": [{"role": "user", "content": "Hello!"}]}'`,
      '',
    )
  }
  if (lines.length === 0) return null
  return [
    '',
    'Goldweight is set up. Passwords and the key are shown this once.',
    '',
    `API           ${base}/v1`,
    `Portal        ${base}/portal/    for customers`,
    `Console       ${base}/console/   for administrators`,
    '',
  ]
    .concat(lines)
    .join('\n')
}
