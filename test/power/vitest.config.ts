/** The pure tests, for the mutation run. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    runner: './test/harness/rules.ts',
    testTimeout: 60_000,
    // The runner and the tests share a module, as in other runs.
    experimental: { viteModuleRunner: false },
    // Stryker runs tests in threads, which cannot change the home directory.
    exclude: ['agent/tests/tables/fonts.test.ts'],
    include: ['{services/*,agent}/tests/tables/**/*.test.ts'],
  },
})
