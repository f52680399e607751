/** `npm run test:long -- dashboard`: the dashboard in Chromium, against one running installation. */
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = join(import.meta.dirname, '../../..')

export default defineConfig({
  test: {
    root,
    include: ['services/dashboard/tests/*.test.ts'],
    globalSetup: ['test/api/global-setup.ts', 'services/dashboard/tests/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    isolate: false,
    experimental: { viteModuleRunner: false },
    // Each worker has a Chromium.
    maxWorkers: 2,
  },
})
