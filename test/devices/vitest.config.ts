/** `npm run test:long -- paper`: what printers say about their paper, on simulated devices. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { root: import.meta.dirname, include: ['*.test.ts'], isolate: false, maxWorkers: 1, testTimeout: 120_000 },
})
