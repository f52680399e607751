/** Builds the dashboard. `deploy/launcher/build-web.ts` runs it. The paths below `dist` are those of the URLs. */
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { compress } from './build/compress.ts'
import { inlineScripts } from './build/inline-scripts.ts'
import { pdfFiles } from './build/pdf-files.ts'
import { printSizes } from './build/print-sizes.ts'
import { rootChunks } from './build/root-chunks.ts'

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  resolve: {
    // With React itself, the sign-in page has 76 instead of 18 KB.
    alias: {
      'react/jsx-runtime': 'preact/jsx-runtime',
      'react-dom/client': 'preact/compat/client',
      'react-dom': 'preact/compat',
      react: 'preact/compat',
    },
  },
  plugins: [inlineScripts(import.meta.dirname), tailwindcss(), pdfFiles(), rootChunks(), compress(), printSizes()],
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    target: 'es2023',
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: 'licenses.txt' },
    // "use client" of packages means nothing to a browser.
    rolldownOptions: { input: ['index.html', 'signin.html'], checks: { moduleLevelDirective: false } },
  },
  server: { proxy: { '/v1': 'http://localhost:8080', '/account': 'http://localhost:8080' } },
})
