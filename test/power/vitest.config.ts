/** The pure tests, for the mutation run. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    runner: './test/harness/rules.ts',
    testTimeout: 60_000,
    // As in other runs: the runner and the tests share a module.
    experimental: { viteModuleRunner: false },
    // Stryker runs tests in threads, which cannot change the home directory.
    exclude: ['agent/tests/tables/fonts.test.ts'],
    include: ['{services/*,agent}/tests/tables/**/*.test.ts'],
  },
})
