/**
 * One run: two replicas of each service of the previous release under load, then `platen-server migrate` of this
 * release, the replacement of all processes by this release, and the way back. An agent of each release prints all the
 * time. Leaves nothing running.
 */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { root } from '@platen/deploy/install/paths.mjs'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { request } from '../chaos/client.ts'
import { runLoad } from '../chaos/load.ts'
import { createEndpoints } from '../chaos/tenants.ts'
import { keepEvidence } from '../chaos/verdict.ts'
import type { History } from '../checker/history.ts'
import { makePdf } from '../harness/pdf.ts'
import type { Restartable } from '../harness/restartable.ts'
import type { System } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { followList } from '../load/follow-list.ts'
import { checkUpgrade, type Fact } from './check-upgrade.ts'
import { previousVersion } from './previous-release.ts'
import { type Followed, SEED, startPrevious, type Upgrade } from './start-previous.ts'

export interface UpgradeOptions {
  /** The clone of the previous release. */
  previous: string
  signal: AbortSignal
  onProgress: (line: string) => void
}

export interface UpgradeResult {
  figures: Record<string, number | string>
  facts: Fact[]
  /** The folder with history and logs, if a check failed. */
  evidence?: string
}

const PHASE_MS = 8_000
/** `preStop` of the chart: the time in which a load balancer notices that a replica stops. This one needs none. */
const PRE_STOP_MS = 500
/** `minReadySeconds` of the chart: the time in which callers find a new replica, before the next one stops. */
const MIN_READY_MS = 5_000
const READY_TIMEOUT_MS = 60_000

const run = promisify(execFile)

export async function runUpgrade({ previous, signal, onProgress }: UpgradeOptions): Promise<UpgradeResult> {
  await using started = new AsyncDisposableStack()
  onProgress('starting the previous release')
  const upgrade = await startPrevious(previous, started)
  try {
    const figures = await performUpgrade(upgrade, { signal, onProgress })
    const { facts, history } = await checkUpgrade(upgrade, onProgress)
    const isGood = facts.every(({ problems }) => problems.length === 0)
    const evidence = isGood ? undefined : await keepEvidence(upgrade.system.directory, { history, facts })
    return { figures: { ...figures, ...count(history) }, facts, evidence }
  } catch (error) {
    if (signal.aborted) throw error
    throw new Error(`The run failed. Its logs: ${await keepEvidence(upgrade.system.directory, {})}`, { cause: error })
  }
}

async function performUpgrade(
  upgrade: Upgrade,
  { signal, onProgress }: Pick<UpgradeOptions, 'signal' | 'onProgress'>,
): Promise<Record<string, number | string>> {
  const { system, gateways, tenants, recorder, stores, followed } = upgrade
  for (const tenant of tenants) {
    let pages = 0
    /** Each page is from another gateway. */
    const get = async (path: string) => {
      const baseUrl = gateways[pages++ % gateways.length] ?? ''
      const { call, json } = await request(recorder, tenant, { baseUrl, path, call: { kind: 'list' } })
      return { status: call.status, body: json && { ...json, data: [json.data ?? []].flat() } }
    }
    const follow = (path: string): Followed => {
      const ids: string[] = []
      return { ids, ...followList(get, path, ({ id = '' }) => ids.push(id)) }
    }
    followed.set(tenant, {
      jobs: follow('/v1/printjobs?dir=asc&limit=50'),
      events: follow('/v1/events?dir=asc&limit=100&wait=1'),
    })
  }
  const ending = new AbortController()
  const load = runLoad(
    { seed: SEED, baseUrls: gateways, tenants, recorder, database: stores.database, burstsAfterMs: [], isPlain: true },
    AbortSignal.any([ending.signal, signal]),
  )
  const steps = async () => {
    await holdPhase(upgrade, 'the previous release', signal, onProgress)
    onProgress('migrating')
    const migrated = await migrate(system)
    const startedAtMs = Date.now()
    const upgradeMs = await replaceServices(upgrade, 'this release', { signal, onProgress })
    // 0.1.0 shuts the test computers down when it stops.
    if (previousVersion === '0.1.0')
      upgrade.expectedOffline.push({ agent: 'test-computers-0', startedAtMs, endedAtMs: Date.now() })
    onProgress('replacing an agent by this release, and keys and webhook endpoints by new ones')
    await replaceAgent(upgrade)
    await renewAccess(upgrade)
    await holdPhase(upgrade, 'this release', signal, onProgress)
    await createWaiting(upgrade)
    const rollbackMs = await replaceServices(upgrade, 'the previous release', { signal, onProgress })
    await enableLast(upgrade, true)
    await holdPhase(upgrade, 'after the rollback', signal, onProgress)
    return { migrations: migrated.join(', '), upgradeMs, rollbackMs }
  }
  try {
    return await Promise.race([steps(), load.then(() => Promise.reject(new Error('the load ended early')))])
  } finally {
    ending.abort()
    await load
  }
}

async function holdPhase(
  { phases }: Upgrade,
  name: string,
  signal: AbortSignal,
  onProgress: UpgradeOptions['onProgress'],
): Promise<void> {
  onProgress(`load: ${name}`)
  const startedAtMs = Date.now()
  await sleep(PHASE_MS, undefined, { signal })
  phases.push({ name, startedAtMs, endedAtMs: Date.now() })
}

/** @returns the migrations, for example "jobs 0002-stored-bytes". */
async function migrate({ servicesDatabaseUrl }: System): Promise<string[]> {
  const env = { ...process.env, PLATEN_DATABASE_URL: servicesDatabaseUrl }
  const { stdout } = await run(process.execPath, ['--no-warnings', 'deploy/commands/platen-server.ts', 'migrate'], {
    cwd: root,
    env,
  })
  const lines = stdout.trim().split('\n')
  return lines.flatMap((line) => {
    const { schema, migrated } = JSON.parse(line) as { schema: string; migrated: string[] }
    return migrated.map((name) => `${schema} ${name}`)
  })
}

/**
 * All services are replaced at once, one replica after the other, as `helm upgrade` and `helm rollback` do.
 *
 * @returns the duration.
 */
async function replaceServices(
  upgrade: Upgrade,
  to: 'the previous release' | 'this release',
  { signal, onProgress }: Pick<UpgradeOptions, 'signal' | 'onProgress'>,
): Promise<number> {
  const startedAtMs = performance.now()
  for (const n of upgrade.system.baseUrls.keys()) {
    onProgress(`replacing replica ${n} of each service by ${to}`)
    const replicas = upgrade.system.processes.filter(({ name }) => name.endsWith(`-${n}`))
    for (const { name } of replicas) upgrade.upgraded[to === 'this release' ? 'add' : 'delete'](name)
    await Promise.all(replicas.map((process) => replace(upgrade, process, n)))
    await sleep(MIN_READY_MS, undefined, { signal })
  }
  return Math.round(performance.now() - startedAtMs)
}

async function replace({ system, gateways }: Upgrade, process: Restartable, n: number): Promise<void> {
  const url = system.baseUrls[n] ?? ''
  if (process.name !== `gateway-${n}`) return await process.restart()
  gateways.splice(gateways.indexOf(url), 1)
  await sleep(PRE_STOP_MS)
  await process.restart()
  await waitFor(async () => {
    const { status } = await fetch(`${url}/readyz`)
    if (status !== 200) throw new Error(`${process.name} is not ready`)
  }, READY_TIMEOUT_MS)
  gateways.push(url)
}

async function replaceAgent({ agents, upgraded, expectedOffline }: Upgrade): Promise<void> {
  upgraded.add('agent-new')
  const startedAtMs = Date.now()
  await agents.find(({ name }) => name === 'agent-new')?.restart()
  // Its stop is a shutdown of the computer.
  expectedOffline.push({ agent: 'agent-new', startedAtMs, endedAtMs: Date.now() })
}

/** What this release encrypts and creates must also be valid after the rollback. */
async function renewAccess({ system, receiver, tenants }: Upgrade): Promise<void> {
  for (const tenant of tenants) tenant.key = await system.addKey(tenant.organizationId, tenant.mode, ['read', 'print'])
  const [tenant] = tenants.filter(({ mode }) => mode === 'live')
  if (!tenant) return
  const created = await createEndpoints(system, receiver, tenant, 'second')
  tenant.endpoints.push(...created.map(({ facts }) => facts))
}

/**
 * A job of each organization waits for a destination of this release. The previous one, which knows none, prints it at
 * the planned printer.
 */
async function createWaiting(upgrade: Upgrade): Promise<void> {
  const { system, tenants, gateways, recorder } = upgrade
  const devices = system.connect(DevicesService, 'devices')
  await enableLast(upgrade, false)
  for (const tenant of tenants) {
    const { organizationId, mode, printerIds } = tenant
    const facts = { organizationId, mode, printerIds: printerIds.slice(-1), enabled: true, policy: 'first' }
    const { destination } = await devices.createDestination({ ...facts, name: 'waits', standbyAfter: 0 })
    const marker = `waiting job of ${organizationId}`
    const content = makePdf(marker).toString('base64')
    const body = { destination: destination?.id, title: marker, contentType: 'pdf_base64', content }
    const creation = { path: '/v1/printjobs', body: JSON.stringify(body), call: { kind: 'create', marker } as const }
    const { call } = await request(recorder, tenant, { baseUrl: gateways[0] ?? '', ...creation })
    if (call.status !== 201) throw new Error(`The creation of a waiting job was answered ${call.status}.`)
  }
}

/** The last printer, which has no other jobs. */
async function enableLast({ system, tenants }: Upgrade, enabled: boolean): Promise<void> {
  const devices = system.connect(DevicesService, 'devices')
  for (const { organizationId, mode, printerIds } of tenants)
    await devices.updatePrinter({ organizationId, mode, printerId: printerIds.at(-1) ?? '', enabled })
}

function count({ calls, database, receivedWebhooks = [] }: History) {
  const durations = calls.flatMap(({ startedAtMs, endedAtMs }) => (endedAtMs ? [endedAtMs - startedAtMs] : []))
  return {
    jobs: database.jobs.length,
    events: database.feed.length,
    webhooks: receivedWebhooks.length,
    requests: calls.length,
    slowestRequestMs: Math.max(...durations),
  }
}
