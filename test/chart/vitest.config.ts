/** `npm run test:long -- chart`. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/chart/*.test.ts'],
    globalSetup: ['test/chart/helm.ts'],
    testTimeout: 60_000,
    isolate: false,
    experimental: { viteModuleRunner: false },
  },
})
