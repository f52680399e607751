/**
 * `npm run test:long -- containers`: the tests that depend on the version of a server (`*.server.test.ts`), with
 * PostgreSQL and NATS in containers of the engine that prepare.sh gets, and the image of the agent. `--postgres 17` and
 * `--nats 2.9` take other images than images.env names. Ends the engine that was started for it, also when it is
 * interrupted; the last line is `N passed, N failed`.
 */
import { parseArgs } from 'node:util'
import { findLeaks, markRun } from '../tools/leaks.ts'
import { type Counts, runVitest } from '../tools/run-vitest.ts'
import { prepareEngine } from './engine.ts'

const mark = markRun()
// An interrupt reaches the whole foreground: what runs ends by it, then this goes on to end the engine.
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted = true
  })
}

const { values: tags } = parseArgs({ options: { postgres: { type: 'string' }, nats: { type: 'string' } } })
if (tags.postgres) process.env.POSTGRES_IMAGE = `postgres:${tags.postgres}`
if (tags.nats) process.env.NATS_IMAGE = `nats:${tags.nats}`

const engine = await prepareEngine()
let counts: Counts = { passed: 0, failed: 1 }
if (engine.prepared && !interrupted) {
  const env = { ...process.env, ...engine.environment, PLATEN_TEST_SERVERS: 'containers' }
  const servers = await runVitest(['run', '--project', 'edge', '.server.test.ts'], env)
  const image = await runVitest(['run', '--config', 'agent/packages/vitest.config.ts', 'image.test.ts'], env)
  counts = { passed: servers.passed + image.passed, failed: servers.failed + image.failed }
}
await engine.end()

const leaks = await findLeaks(mark)
for (const leak of leaks) console.error(`left running by the tests: ${leak}`)
const failed = counts.failed + leaks.length
console.log(`\n${counts.passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && !interrupted ? 0 : 1
