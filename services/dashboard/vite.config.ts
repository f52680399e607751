/** Builds the dashboard. `deploy/launcher/build-web.ts` runs it. The paths below `dist` are those of the URLs. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compress } from './build/compress.ts'
import { inlineScripts } from './build/inline-scripts.ts'
import { pdfFiles } from './build/pdf-files.ts'
import { printSizes } from './build/print-sizes.ts'
import { reactModules } from './build/react-modules.ts'
import { rootChunks } from './build/root-chunks.ts'

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [
    inlineScripts(import.meta.dirname),
    reactModules(),
    react(),
    tailwindcss(),
    pdfFiles(),
    rootChunks(),
    compress(),
    printSizes(),
  ],
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    target: 'es2023',
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: 'licenses.txt' },
    rolldownOptions: { input: ['index.html', 'signin.html'] },
  },
  server: { proxy: { '/v1': 'http://localhost:8080', '/account': 'http://localhost:8080' } },
})
