import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export type SourceFile = { readonly path: string; readonly text: string }

/** Every TypeScript file, with and without elements, below the folders, with its path from the root of the repository. */
export async function readSources(...folders: string[]): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  for (const folder of folders) {
    for await (const path of glob(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT })) {
      files.push({ path, text: await readFile(ROOT + path, 'utf8') })
    }
  }
  return files
}

/** What a file imports, as written. */
export function importsOf({ text }: SourceFile): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].flatMap(match => match[1] ?? [])
}
