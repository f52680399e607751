/**
 * `npm run test:containers`: the tests that depend on the version of a server (`*.server.test.ts`), with PostgreSQL and NATS in containers
 * of the engine that prepare.sh gets. `--postgres 17` and `--nats 2.9` take other images than images.env names. Ends the engine that was
 * started for it, also when it is interrupted; the last line is `N passed, N failed`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, parseEnv } from 'node:util'
import { identify, signalProcess } from '@platen/deploy/process-identity.ts'
import { findLeaks, markRun } from '../leaks.ts'
import { type Counts, runVitest } from '../run-vitest.ts'

/** The engine ends its containers first. */
const ENGINE_STOP_LIMIT_MS = 30_000
const CHECK_EVERY_MS = 50

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

const { prepared, environment } = await prepare()
let counts: Counts = { passed: 0, failed: 1 }
if (prepared && !interrupted) {
  const env = { ...process.env, ...environment, PLATEN_TEST_SERVERS: 'containers' }
  counts = await runVitest(['run', '--project', 'edge', '.server.test.ts'], env)
}
if (environment.DOCKERD_PID) await endEngine(Number(environment.DOCKERD_PID))

const leaks = await findLeaks(mark)
for (const leak of leaks) console.error(`left running by the tests: ${leak}`)
const failed = counts.failed + leaks.length
console.log(`\n${counts.passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && !interrupted ? 0 : 1

/** Also a preparation that failed may have started an engine. */
async function prepare(): Promise<{ prepared: boolean; environment: NodeJS.Dict<string> }> {
  const child = spawn(join(import.meta.dirname, 'prepare.sh'), { stdio: ['ignore', 'pipe', 'inherit'] })
  const [lines, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { prepared: code === 0, environment: parseEnv(lines) }
}

async function endEngine(pid: number): Promise<void> {
  const engine = identify(pid)
  if (!engine) return
  signalProcess(pid, engine, 'SIGTERM')
  const deadline = performance.now() + ENGINE_STOP_LIMIT_MS
  while (identify(pid) === engine && performance.now() < deadline) await sleep(CHECK_EVERY_MS)
  signalProcess(pid, engine, 'SIGKILL')
}
