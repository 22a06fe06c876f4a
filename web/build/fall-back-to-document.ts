import type { Plugin } from 'vite'

/** While developing: an address within an application is its document, as the service has it too. */
export function fallBackToDocument(documents: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'fall-back-to-document',
    apply: 'serve',
    configureServer: ({ middlewares }) => {
      middlewares.use((request, _response, next) => {
        const path = request.url?.split('?', 1)[0] ?? '/'
        const base = Object.keys(documents).find(base => path.startsWith(base))
        if (base !== undefined && !/\.\w+$/.test(path)) request.url = `/${documents[base]}`
        next()
      })
    },
  }
}
