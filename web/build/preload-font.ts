import type { Plugin } from 'vite'

/**
 * Lets the browser fetch the text's font beside the styles instead of after them. With `font-display: optional` that
 * means that the first paint has the font nearly always, and that no text ever moves because it came late.
 */
export function preloadFont(name: string): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const file = Object.keys(bundle).find(path => path.includes(name) && path.endsWith('.woff2'))
        if (file === undefined) throw new Error(`The build holds no font ${name}`)
        const attrs = { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' }
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' }]
      },
    },
  }
}
