import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(js|css|svg|json)$/

/** Writes a `.br` and a `.gz` beside every file that gains from it, so that the service never compresses a page. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle: async ({ dir }) => {
      const folder = join(dir ?? '', 'assets')
      const files = (await readdir(folder)).filter(file => COMPRESSIBLE.test(file))
      await Promise.all(files.map(file => writeCompressed(join(folder, file))))
    },
  }
}

async function writeCompressed(path: string): Promise<void> {
  const content = await readFile(path)
  await Promise.all([
    writeFile(`${path}.br`, await promisify(brotliCompress)(content)),
    writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 })),
  ])
}
