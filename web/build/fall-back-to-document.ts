import { dirname } from 'node:path'
import type { Plugin } from 'vite'

/** While developing: an address within an application is its document, as the service has it too. */
export function fallBackToDocument(documents: readonly string[]): Plugin {
  return {
    name: 'fall-back-to-document',
    apply: 'serve',
    configureServer: ({ middlewares }) => {
      middlewares.use((request, _response, next) => {
        const path = request.url?.split('?', 1)[0] ?? '/'
        const document = documents.find(document => path.startsWith(`/${dirname(document)}/`))
        if (document !== undefined && !/\.\w+$/.test(path)) request.url = `/${document}`
        next()
      })
    },
  }
}
