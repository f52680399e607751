import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const tests = (folder: string) => `${folder}/**/*.test.ts`

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          sequence: { groupOrder: 0 },
          include: [
            'services/*/tests',
            'agent/tests',
            'deploy/tests',
            'test/contract',
            'test/fuzz',
            'test/harness',
            'test/cups',
          ].map(tests),
          globalSetup: ['test/harness/global-setup.ts'],
          // Half of the time tests wait for what takes its time. One PostgreSQL serves them all, with 200 connections.
          maxWorkers: Math.min(availableParallelism() + 2, 8),
          // No module of ours has state, and loading all of them anew for each file takes a tenth of a run.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          sequence: { groupOrder: 1 },
          include: ['test/e2e', 'test/faults', 'test/chaos', 'test/kills', 'agent/packages/tests'].map(tests),
          // A dozen processes each, of half a gigabyte.
          maxWorkers: Math.min(availableParallelism() + 1, 4),
          isolate: false,
          testTimeout: 240_000,
          // A dozen processes start before the first test.
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
