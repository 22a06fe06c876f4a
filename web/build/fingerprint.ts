import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'

/** All that a build is made of: the applications, the schemas they share with the server, and the libraries. */
const SOURCES = ['web/**/*', 'contract/**/*.ts', 'package-lock.json']
const NOT_A_SOURCE = /^web\/dist(\/|$)|\.(test|spec)\.tsx?$|\.md$/

/** A text that changes with any file that the build depends on. */
export async function fingerprintSources(root: string): Promise<string> {
  const paths: string[] = []
  for await (const entry of glob(SOURCES, { cwd: root, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = `${entry.parentPath}/${entry.name}`.slice(root.length)
    if (!NOT_A_SOURCE.test(path)) paths.push(path)
  }
  const hash = createHash('sha256')
  for (const path of paths.sort())
    hash
      .update(path)
      .update('\0')
      .update(await readFile(root + path))
      .update('\0')
  return hash.digest('hex')
}
