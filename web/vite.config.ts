import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { fallBackToDocument } from './build/fall-back-to-document.ts'
import { precompress } from './build/precompress.ts'
import { preloadFont } from './build/preload-font.ts'

/** Each application is a folder with a document of its own; what they share ends up in common chunks. */
const APPLICATIONS = { portal: 'portal/index.html', reference: 'reference/index.html' }

/** A running service, for `npm run dev:web`: the pages come from here, their data from there. */
const SERVICE = 'http://localhost:8080'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    tailwindcss(),
    preloadFont('public-sans-latin-wght-normal'),
    precompress(),
    fallBackToDocument(Object.values(APPLICATIONS)),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The content security policy lets nothing be loaded from `data:` addresses but pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: APPLICATIONS },
  },
  server: {
    proxy: Object.fromEntries(['/client', '/admin/', '/v1', '/openapi.json'].map(path => [path, SERVICE])),
  },
})
