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

const project = (name: string, folders: string[], more: object = {}) => ({
  extends: true as const,
  test: { name, include: folders.map(tests), ...more },
})

const SERVERS = { globalSetup: ['test/harness/global-setup.ts'] }

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
    // Most tests wait for processes and servers half of their time. More workers share the servers and gain nothing.
    maxWorkers: availableParallelism() + 2,
    sequence: { shuffle: true, seed, sequencer: ByProject },
    projects: [
      project('tables', [
        'services/*/tests/tables',
        'agent/tests/tables',
        'deploy/tests/tables',
        'clients/generator/tests',
        'test/checker/tests',
        'test/harness/tests',
        'test/power/tests',
      ]),
      project('world', ['services/*/tests/world', 'deploy/tests/world'], SERVERS),
      project('smoke', ['test/smoke'], { ...SERVERS, testTimeout: 120_000 }),
      project('shipped', ['test/shipped'], { testTimeout: 120_000, hookTimeout: 120_000 }),
      project('faults', ['test/faults'], { testTimeout: 120_000, hookTimeout: 120_000 }),
      project('agent', ['agent/tests/flow', 'agent/tests/cups'], {
        globalSetup: ['test/cups/global-setup.ts'],
      }),
      project('edge', ['services/*/tests/edge', 'deploy/tests/edge'], SERVERS),
      project('api', ['test/api'], { globalSetup: ['test/api/global-setup.ts'] }),
      project('clients', ['clients/tests', 'clients/{cli,python,typescript}/tests'], {
        globalSetup: ['test/api/global-setup.ts'],
      }),
      // Judges what the tests of `api` left behind, before their installation stops.
      project('history', ['test/history'], {
        globalSetup: ['test/api/global-setup.ts'],
        sequence: { groupOrder: 1, shuffle: true, seed },
      }),
    ],
  },
})
