import { defineConfig } from 'vitest/config'

const tests = (folder: string) => `${folder}/**/*.test.ts`

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['services/*/tests', 'agent/tests', 'deploy/tests'].map(tests),
          globalSetup: ['test/harness/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/e2e', 'test/faults'].map(tests),
          maxWorkers: 2,
          testTimeout: 240_000,
        },
      },
    ],
  },
})
