/**
 * `npm run test:long -- rotate`: shows that each key is replaced without a failed call or delivery by the procedure of
 * docs/operations/rotation.md, on two replicas of each service. Exits with 1 if a fact does not hold. Needs port 80 of
 * 127.0.0.9. Linux only.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { rotateWebhookKey } from '@platen/deploy/commands/rotate/webhook-key.ts'
import { connectServices } from '@platen/deploy/launcher/connect-services.ts'
import { openSecrets } from '@platen/deploy/launcher/secrets.ts'
import { toRpcCallers } from '@platen/deploy/launcher/services.ts'
import { CALLING_SERVICES } from '@platen/runtime/rpc/callers.ts'
import { createApi } from '../harness/api.ts'
import { type Checks, createChecks } from '../harness/checks.ts'
import { type System, startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { RECEIVER_ENVIRONMENT } from '../harness/webhook-receiver.ts'
import { query } from './postgres-backup.ts'
import { type RotationLoad, startRotationLoad } from './rotation-load.ts'

/** Instead of a day. Longer than the load waits before it repeats a creation. */
const IDEMPOTENCY_KEY_SECONDS = 15
/** A restarted replica is available after this time, as in the chart: its clients have connected to it again. */
const MIN_READY_MS = 5_000
const REPLICAS = [0, 1]
const createKey = () => randomBytes(32).toString('base64url')

/** Its title and the variables that it sets. */
type Change = [string, Record<string, string>]

interface Rotation {
  system: System
  load: RotationLoad
  checks: Checks
  operatorSecret: string
  /** The settings of the services, from their next start. */
  env: Record<string, string>
}

async function main(checks: Checks): Promise<void> {
  await using started = new AsyncDisposableStack()
  checks.progress('starting two replicas of each service')
  const env: Record<string, string> = {
    ...RECEIVER_ENVIRONMENT,
    PLATEN_SIGNING_KEY: createKey(),
    PLATEN_IDEMPOTENCY_KEY_SECONDS: String(IDEMPOTENCY_KEY_SECONDS),
  }
  const system = started.adopt(await startSystem({ replicas: 2, env }), (one) => one.stop())
  const { rpcKeys, fetchKey, webhookKey, operatorSecret } = await openSecrets(join(system.directory, 'secrets.json'))
  Object.assign(env, { PLATEN_FETCH_KEY: fetchKey, PLATEN_WEBHOOK_KEY: webhookKey })
  const load = await startRotationLoad(system, started)
  const rotation = { system, load, checks, operatorSecret, env }

  // Each of these keys belongs to one service, so their changes do not affect each other.
  const own = ['PLATEN_SIGNING_KEY', 'PLATEN_FETCH_KEY', 'PLATEN_WEBHOOK_KEY']
  await replaceKeys(rotation, replaceLists(env, own), ['gateway', 'jobs', 'webhooks'], async () => {
    const since = new Date()
    await reencryptSecrets(rotation)
    checks.progress(`waiting ${IDEMPOTENCY_KEY_SECONDS} s, and for the fetches of the old key`)
    await sleep(IDEMPOTENCY_KEY_SECONDS * 1_000)
    await waitFor(async () => {
      const rows = await query(
        system.databaseUrl,
        `SELECT FROM jobs.document_fetch WHERE created_at < '${since.toISOString()}'`,
      )
      if (rows.length > 0) throw new Error(`${rows.length} fetches need the old key`)
    })
  })
  await replaceKeys(rotation, replaceRpcKeys(rpcKeys), ['accounts', 'jobs', 'devices', 'usage', 'webhooks', 'gateway'])

  checks.progress('waiting for the last prints and webhooks')
  await checks.shows(
    'every job was printed, and every event followed and delivered with a valid signature',
    async () => {
      const { jobs, webhooks } = await load.finish()
      checks.progress(`${jobs} jobs, ${load.documents()} documents by URL, ${webhooks} webhooks`)
    },
  )
  checks.check(`of ${load.requests()} requests none failed`, load.failures)
  const failed = await query(
    system.databaseUrl,
    'SELECT error_class FROM webhooks.attempt WHERE error_class IS NOT NULL',
  )
  checks.check(
    'no attempt of a webhook failed',
    failed.map((row) => JSON.stringify(row)),
  )
  const fetches = await query(system.databaseUrl, `SELECT id FROM jobs.job WHERE state <> 'done'`)
  checks.check(
    'no job failed',
    fetches.map((row) => JSON.stringify(row)),
  )
  checks.check(`${load.repetitions()} creations were repeated`, load.repetitions() > 0 ? undefined : 'none was')
  checks.check('no process ended by itself', system.unexpectedEnds)
}

/** All callers get the same new key, because the services have the same variables. */
function replaceRpcKeys(oldKeys: Record<string, string>): Change[] {
  const key = createKey()
  const old = toRpcCallers(oldKeys)
  const fresh = toRpcCallers(Object.fromEntries(CALLING_SERVICES.map((name) => [name, key])))
  return [
    ['PLATEN_RPC_CALLERS with old and new digests', { PLATEN_RPC_CALLERS: `${old},${fresh}` }],
    ['PLATEN_RPC_KEY new', { PLATEN_RPC_KEY: key }],
    ['PLATEN_RPC_CALLERS with new digests', { PLATEN_RPC_CALLERS: fresh }],
  ]
}

function replaceLists(env: Record<string, string>, variables: string[]): Change[] {
  const keys = variables.map((name) => ({ name, old: env[name] ?? '', fresh: createKey() }))
  const change = (title: string, toValue: (key: { old: string; fresh: string }) => string): Change => [
    `${variables.join(', ')} as ${title}`,
    Object.fromEntries(keys.map((key) => [key.name, toValue(key)])),
  ]
  return [
    change('old,new', ({ old, fresh }) => `${old},${fresh}`),
    change('new,old', ({ old, fresh }) => `${fresh},${old}`),
    change('new', ({ fresh }) => fresh),
  ]
}

/** @param beforeThird what the table of the procedure names. */
async function replaceKeys(
  rotation: Rotation,
  changes: Change[],
  services: string[],
  beforeThird: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { system, env, load, checks } = rotation
  const cursor = await waitFor(async () => {
    const { nextCursor } = (await load.balancer.get('/v1/printjobs?limit=1')).body
    if (nextCursor === null) throw new Error('the list has only one page')
    return nextCursor
  })
  const isCursorAccepted = async () => {
    // These requests are not recorded, because the last answer must be a refusal.
    const answers = await Promise.all(
      system.baseUrls.map((url) => createApi(url, load.key).get(`/v1/printjobs?limit=1&after=${cursor}`)),
    )
    return answers.every(({ status }) => status === 200)
  }
  const isSigning = changes.some(([, values]) => 'PLATEN_SIGNING_KEY' in values)
  for (const [n, [title, values]] of changes.entries()) {
    const isLast = n === changes.length - 1
    if (isLast) await beforeThird()
    Object.assign(env, values)
    checks.progress(title)
    const startedAt = performance.now()
    const failuresBefore = load.failures.length
    await restartAll(rotation, services)
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    const failures = load.failures.slice(failuresBefore)
    checks.check(`${title}, ${seconds} s: no request failed`, failures)
    // The keys must be in use: otherwise the other facts would mean nothing.
    const isRemoved = isLast && isSigning
    const fact = isRemoved ? 'a cursor of the removed key is refused' : 'a cursor from before is accepted'
    checks.check(fact, (await isCursorAccepted()) === isRemoved ? 'it is not' : undefined)
  }
}

/** One replica of all services at a time: the services are rolled out side by side, as by Kubernetes. */
async function restartAll({ system, load }: Rotation, services: string[]): Promise<void> {
  for (const nth of REPLICAS) {
    await Promise.all(
      services.map(async (service) => {
        const replica = system.processes.find(({ name }) => name === `${service}-${nth}`)
        if (!replica) throw new Error(`${service}-${nth} does not run`)
        if (service === 'gateway') await load.balancer.without(nth, () => replica.restart())
        else await replica.restart()
      }),
    )
    await sleep(MIN_READY_MS)
  }
}

async function reencryptSecrets({ system, checks, operatorSecret }: Rotation): Promise<void> {
  const connect = connectServices({
    secret: operatorSecret,
    getUrl: (service) => system.getOpsUrl(service as Parameters<System['getOpsUrl']>[0]),
  })
  const { encrypted, remaining } = await rotateWebhookKey(connect)
  checks.check(
    `platen-server rotate webhook-key: ${encrypted} encrypted, ${remaining} remaining`,
    encrypted === 1 && remaining === 0 ? undefined : 'expected one secret',
  )
}

const checks = createChecks()
await main(checks)
process.exit(checks.end())
