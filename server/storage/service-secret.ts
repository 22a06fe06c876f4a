import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The secret that encrypts credentials and signs cookies: as configured, else kept in a file of the data folder that
 * only its owner may read, made at the first start. Two starts at once agree on one.
 */
export async function getServiceSecret(configured: string | null, dataDir: string): Promise<string> {
  if (configured !== null) return configured
  const path = join(dataDir, 'secret')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  try {
    await writeFile(path, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const secret = (await readFile(path, 'utf8')).trim()
  if (secret === '') throw new Error(`${path} is empty: restore it, or credentials stay unreadable`)
  return secret
}
