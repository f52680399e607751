/** The pure tests, for the mutation run. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { testTimeout: 60_000, include: ['{services/*,agent}/tests/tables/**/*.test.ts'] },
})
