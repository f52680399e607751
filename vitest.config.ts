/**
 * The layers of the tests, one project each; the folder of a file decides. docs/development/tests.md says what belongs
 * where.
 */
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { ByProject } from './test/tools/order-files.ts'

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

const workers = availableParallelism()
/** The workers of projects whose tests wait for processes about half of their time. */
const WAITING = { maxWorkers: workers + 2 }

export default defineConfig({
  test: {
    runner: './test/harness/rules.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // No module of ours has state but the world of a worker, which is there to be shared.
    isolate: false,
    // Node loads the modules as it does outside of tests. `world` takes three quarters of the time, `tables` half of
    // it.
    experimental: { viteModuleRunner: false },
    maxWorkers: workers,
    sequence: { shuffle: true, seed, sequencer: ByProject },
    projects: [
      project('tables', 0, [
        'services/*/tests/tables',
        'agent/tests/tables',
        'deploy/tests/tables',
        'clients/generator/tests',
        'test/checker/tests',
        'test/harness/tests',
        'test/power/tests',
      ]),
      project('world', 0, ['services/*/tests/world', 'deploy/tests/world'], SERVERS),
      project('smoke', 1, ['test/smoke'], { ...WAITING, ...SERVERS, testTimeout: 120_000 }),
      project('shipped', 1, ['test/shipped'], { ...WAITING, testTimeout: 120_000, hookTimeout: 120_000 }),
      project('faults', 1, ['test/faults'], { ...WAITING, testTimeout: 120_000, hookTimeout: 120_000 }),
      project('agent', 1, ['agent/tests/flow', 'agent/tests/cups'], {
        ...WAITING,
        globalSetup: ['test/cups/global-setup.ts'],
      }),
      project('edge', 1, ['services/*/tests/edge', 'deploy/tests/edge'], { ...WAITING, ...SERVERS }),
      project('api', 1, ['test/api'], { ...WAITING, globalSetup: ['test/api/global-setup.ts'] }),
      project('clients', 1, ['clients/tests', 'clients/{cli,python,typescript}/tests'], {
        ...WAITING,
        globalSetup: ['test/api/global-setup.ts'],
      }),
      // Judges what the tests of `api` left behind, before their installation stops.
      project('history', 2, ['test/history'], { globalSetup: ['test/api/global-setup.ts'] }),
    ],
  },
})
