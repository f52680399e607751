/**
 * `npm run test:long -- rendered`: the chart as containers. Two replicas of each service, three NATS servers and
 * PostgreSQL with TLS, S3. The hook of migrations, the self-test, a rolling restart and the kill of each container
 * under load, and the queries of dashboard and alerts on a Prometheus that scrapes all containers. Linux only. `--only`
 * restarts, kills or outage. The last line is `N passed, N failed`.
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect, parseArgs } from 'node:util'
import { toSecretData } from '@platen/deploy/commands/create-secrets/manifest.ts'
import { createSecrets } from '@platen/deploy/launcher/secrets.ts'
import unpackHelm, { cache, getPods, renderObjects } from '../chart/helm.ts'
import { prepareEngine } from '../containers/engine.ts'
import { createChecks } from '../harness/checks.ts'
import { buildImage, checkReleaseFiles, IMAGE, measureImageBytes, measureStartMs } from './image.ts'
import { startLoad } from './load.ts'
import { startPrometheus } from './prometheus.ts'
import { startCluster } from './run-manifests.ts'
import { docker, LABEL, type Node, runPod } from './run-pod.ts'
import { SERVER_IMAGES, startServers } from './servers.ts'
import { killEach, OFFLINE_GRACE_SECONDS, restartAll, stopPostgres } from './under-load.ts'

const BASE_IMAGE = 'node:24-trixie-slim'
const IMAGE_BYTES_MAX = 130e6
const START_MS_MAX = 2_500
/** An API key can have few uploads at once. */
const KEYS = 5
/** A fifth of the times of Kubernetes. */
const TIME_SCALE = 0.2

const PHASES = { restarts: restartAll, kills: killEach, outage: stopPostgres }
const { only } = parseArgs({ options: { only: { type: 'string' } } }).values
if (only !== undefined && !Object.hasOwn(PHASES, only)) throw new Error(`--only is one of ${Object.keys(PHASES)}`)

const started = new AsyncDisposableStack()
const checks = createChecks()
const { check, progress } = checks

let ended: Promise<void> | undefined

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void end(`interrupted by ${signal}`))
process.on('uncaughtException', (error) => void end(error))

await runAll().then(
  () => end(),
  (error: unknown) => end(error),
)

/** Ends all that was started, and the process. */
async function end(failure?: unknown): Promise<void> {
  if (failure) check('the run ends', inspect(failure))
  ended ??= started.disposeAsync().catch((error: unknown) => check('all that was started ends', inspect(error)))
  await ended
  process.exit(checks.end())
}

async function runAll(): Promise<void> {
  const preparing = prepareEngine([...SERVER_IMAGES, BASE_IMAGE])
  started.defer(async () => (await preparing).end())
  const { prepared, environment } = await preparing
  if (!prepared) throw new Error('There is no Docker engine with the images.')
  Object.assign(process.env, environment)
  await removeAll()
  started.defer(removeAll)
  const directory = mkdtempSync(join(tmpdir(), 'platen-rendered-'))
  started.defer(() => rmSync(directory, { recursive: true, force: true }))
  const logs = join(cache, '../platen-rendered')
  rmSync(logs, { recursive: true, force: true })
  mkdirSync(logs, { recursive: true })

  progress('building the image')
  await buildImage()
  const bytes = await measureImageBytes()
  check(
    `the compressed image has ${(bytes / 1e6).toFixed(1)} MB, at most 130`,
    bytes <= IMAGE_BYTES_MAX ? undefined : 'too large',
  )

  check('the image has its SBOM and notices, as a release', await checkReleaseFiles(directory))

  progress('starting the servers')
  const network = 'platen-rendered'
  await docker('network', 'create', `--label=${LABEL}`, network)
  const address = await docker('network', 'inspect', '--format={{(index .IPAM.Config 0).Gateway}}', network)
  const servers = started.adopt(await startServers(network, address, directory, IMAGE), (one) => one.stop())
  unpackHelm()
  const [repository, tag] = IMAGE.split(':')
  const objects = renderObjects('minimal.yaml', {
    ...servers.values,
    image: { repository, tag },
    settings: {
      PLATEN_RATE_LIMIT_PER_SECOND: 10_000,
      PLATEN_ORGANIZATION_RATE_LIMIT_PER_SECOND: 10_000,
      PLATEN_OFFLINE_GRACE_SECONDS: OFFLINE_GRACE_SECONDS,
    },
    networkPolicy: { metricsFromNamespaces: ['monitoring'] },
    telemetry: { podMonitor: { enabled: true }, alerts: { enabled: true }, dashboard: { enabled: true } },
  })
  const node: Node = {
    ...{ network, address, directory },
    secrets: { ...servers.secrets, 'platen-secrets': toSecretData(createSecrets()) },
    services: objects.filter(({ kind }) => kind === 'Service'),
  }
  const runRole = async (role: string, option: '--detach' | '--rm' = '--rm') => {
    const pod = getPods(objects).find((one) => one.role === role)
    if (!pod) throw new Error(`no pod runs ${role}`)
    return await runPod(node, pod.owner.metadata.name, pod.owner.spec.template ?? pod.owner, option)
  }

  progress('migrating')
  console.log(await runRole('migrate'))
  progress('starting all workloads')
  const cluster = started.adopt(await startCluster({ ...node, objects, timeScale: TIME_SCALE, logs }), (one) =>
    one.stop(),
  )
  await cluster.untilReady()
  check('all workloads are ready', undefined)
  const selftest = await runRole('selftest')
  check('platen-server selftest prints', selftest.endsWith('Platen prints.') ? undefined : selftest)

  const gateway = getPods(objects).find(({ role }) => role === 'gateway')
  const startMs = await measureStartMs(node, gateway?.owner.spec.template)
  check(
    `a gateway is ready ${Math.round(startMs)} ms after its start, at most ${START_MS_MAX}`,
    startMs <= START_MS_MAX ? undefined : 'too late',
  )

  const operatorId = await runRole('operator', '--detach')
  const platen = (...args: string[]) => docker('exec', operatorId, 'platen-server', ...args)
  console.log(await platen('doctor'))
  const at = (port: number) => `${address}:${port}`
  const load = started.adopt(await startLoad(`http://${at(8080)}`, at(8090), await createKeys(platen)), (one) =>
    one.stop(),
  )
  const own = join(directory, 'prometheus')
  const prometheus = started.adopt(await startPrometheus(own, objects, cluster.pods), (one) => one.stop())
  const run = { cluster, servers, load, prometheus, check }
  for (const [name, phase] of Object.entries(PHASES)) {
    if (only !== undefined && only !== name) continue
    progress(name)
    await phase(run)
  }
  check('nothing accepted is lost, and nothing is doubled', await load.finish())
  check('all queries are valid', await prometheus.findInvalid())
  check('all metrics of alerts and dashboard exist', await prometheus.findMissingMetrics())
  console.log(JSON.stringify(load.figures()))
}

/** @returns keys of a new organization without limits of a plan. */
async function createKeys(platen: (...args: string[]) => Promise<string>): Promise<string[]> {
  const { id } = JSON.parse(await platen('admin', 'orgs', 'create', 'Rendered'))
  await platen('admin', 'plans', 'set', '--org', id, '--prints', 'unlimited', '--computers', 'unlimited')
  const options = ['--org', id, '--mode', 'live', '--scopes', 'read,print,admin']
  const keys: string[] = []
  while (keys.length < KEYS) keys.push(JSON.parse(await platen('admin', 'keys', 'create', ...options)).key)
  return keys
}

/** It removes what a killed run left as well. */
async function removeAll(): Promise<void> {
  for (const [kind, remove] of [
    ['container', ['rm', '--force', '--volumes']],
    ['network', ['rm']],
    ['volume', ['rm']],
  ] as const) {
    const ids = await docker(
      kind,
      'ls',
      ...(kind === 'container' ? ['--all'] : []),
      '--quiet',
      `--filter=label=${LABEL}`,
    )
    if (ids) await docker(kind, ...remove, ...ids.split('\n'))
  }
}
