/** The pure tests, for the mutation run. */
import { defineConfig } from 'vitest/config'

/** Pure tests that are not yet in `tests/tables`. */
const NAMES = [
  'states',
  'judge-options',
  'base64-decoder',
  'content-scanner',
  'sliding-log',
  'paging',
  'batches',
  'errors',
  'public-network',
  'api-key',
  'schedule',
  'pace',
  'breaker',
  'sign',
  'answer-text',
  'codec',
  'page-ranges',
  'capabilities',
  'options',
  'job-state',
  'job-name',
]

export default defineConfig({
  test: {
    testTimeout: 60_000,
    include: [
      '{services/*,agent}/tests/tables/**/*.test.ts',
      `{services/*,agent}/tests/{,ipp/,cups/}{${NAMES.join(',')}}.test.ts`,
    ],
  },
})
