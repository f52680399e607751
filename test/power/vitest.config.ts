/** The pure tests, for the mutation run. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    runner: './test/harness/rules.ts',
    testTimeout: 60_000,
    include: ['{services/*,agent}/tests/tables/**/*.test.ts'],
  },
})
