/** The layers of the tests, one project each; the folder of a file decides. CONTRIBUTING.md says what belongs where. */
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const tests = (folder: string) => `${folder}/**/*.test.ts`

/** Two runs never have the same order; a failure is repeated by the seed that the run prints. */
const seed = Number(process.env.PLATEN_TEST_SEED) || Math.floor(Math.random() * 1_000_000)

const project = (name: string, groupOrder: number, folders: string[], more: object = {}) => ({
  extends: true as const,
  test: {
    name,
    include: folders.map(tests),
    sequence: { groupOrder, shuffle: true, seed },
    ...more,
  },
})

const SERVERS = { globalSetup: ['test/harness/global-setup.ts'] }

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // No module of ours has state but the world of a worker, which is there to be shared.
    isolate: false,
    maxWorkers: availableParallelism(),
    sequence: { shuffle: true, seed },
    projects: [
      project('tables', 0, [
        'services/*/tests/tables',
        'agent/tests/tables',
        'deploy/tests/tables',
        'test/checker/tests',
        'test/harness/tests',
      ]),
      project('world', 1, ['services/*/tests/world', 'deploy/tests/world'], SERVERS),
      project('agent', 1, ['agent/tests/flow', 'agent/tests/cups'], { globalSetup: ['test/cups/global-setup.ts'] }),
      project('api', 2, ['test/api'], { globalSetup: ['test/api/global-setup.ts'] }),
      // Judges what the tests of `api` left behind, before their installation stops.
      project('history', 3, ['test/history'], { globalSetup: ['test/api/global-setup.ts'] }),
      project('edge', 4, ['services/*/tests/edge', 'deploy/tests/edge'], SERVERS),
      project('shipped', 5, ['test/shipped'], { testTimeout: 120_000, hookTimeout: 120_000 }),
      project('smoke', 6, ['test/smoke'], { ...SERVERS, testTimeout: 120_000 }),
    ],
  },
})
