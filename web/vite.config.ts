import type { IncomingMessage } from 'node:http'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { fallBackToDocument } from './build/fall-back-to-document.ts'
import { precompress } from './build/precompress.ts'
import { preloadFont } from './build/preload-font.ts'

/** Each application is a folder with a document of its own; what they share ends up in common chunks. */
const APPLICATIONS = {
  portal: 'portal/index.html',
  admin: 'admin/index.html',
  reference: 'reference/index.html',
}

/**
 * What every first page needs, in few pieces: left alone, it falls apart by who shares what, and each piece costs a request
 * with its headers and is compressed by itself. A group takes along all that its modules import.
 */
const COMMON = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  {
    name: 'application',
    test: /node_modules\/(@tanstack|zod)\/|\/web\/frame\/(start-application|require-sign-in|searches)\.tsx?$/,
  },
  { name: 'doors', test: /\/web\/(frame\/doors\/sign-in|ui\/door-layout)\.tsx$/ },
]

/** Where the service has them, for `npm run dev:web`. */
const BASES = {
  '/portal/': APPLICATIONS.portal,
  '/console/': APPLICATIONS.admin,
  '/docs/': APPLICATIONS.reference,
}

/** A running service, for `npm run dev:web`: the pages come from here, their data from there. */
const SERVICE = 'http://localhost:8080'

/** The sources of the console lie where its API is: what a page loads as a part of itself comes from here. */
const PARTS_OF_PAGES = ['script', 'style', 'image', 'font']

function bypass({ headers, url }: IncomingMessage): string | undefined {
  return PARTS_OF_PAGES.includes(String(headers['sec-fetch-dest'])) ? url : undefined
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    tailwindcss(),
    preloadFont('public-sans-latin-wght-normal'),
    precompress(),
    fallBackToDocument(BASES),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The content security policy lets nothing be loaded from `data:` addresses but pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: APPLICATIONS, output: { codeSplitting: { groups: COMMON } } },
  },
  server: {
    proxy: Object.fromEntries(
      ['/client', '/admin/', '/v1', '/openapi.json'].map(path => [path, { target: SERVICE, bypass }]),
    ),
  },
})
