/**
 * PostgreSQL is restored from a base backup and its WAL archive to a moment before the last jobs, as
 * docs/operations/backup.md describes: the services are stopped, and the streams of NATS are deleted before they start.
 * Agents and integrators continue meanwhile.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectNats } from '@platen/runtime/messaging/nats.ts'
import { parseNatsUrl } from '@platen/runtime/messaging/settings.ts'
import { createApi } from '../harness/api.ts'
import type { Checks } from '../harness/checks.ts'
import { freePort } from '../harness/free-port.ts'
import { connectLightAgent } from '../harness/light-agent.ts'
import type { Restartable } from '../harness/restartable.ts'
import { type System, startSystem } from '../harness/system.ts'
import { createTestProcess } from '../harness/test-process.ts'
import { waitFor } from '../harness/wait-for.ts'
import { RECEIVER_ENVIRONMENT } from '../harness/webhook-receiver.ts'
import { archiveWal, backUp, finishArchive, query, recoverTo, useTransactionNumbers } from './postgres-backup.ts'
import { END_TIMEOUT_MS, openShop, type Shop } from './shop.ts'

const JOBS = 20
const HELLOS = 'platen_agent_hellos_total{result="unauthenticated"}'

export async function restoreToPoint({ progress, check, shows }: Checks): Promise<void> {
  await using started = new AsyncDisposableStack()
  progress('starting')
  const opsPort = await freePort()
  const env = {
    ...RECEIVER_ENVIRONMENT,
    PLATEN_HEARTBEAT_SECONDS: '1',
    PLATEN_OFFLINE_GRACE_SECONDS: '1',
    PLATEN_OPS_LISTEN: `127.0.0.1:${opsPort}`,
    PLATEN_METRICS: 'on',
  }
  const system = started.adopt(await startSystem({ together: true, env }), (one) => one.stop())
  const [postgres, , platen] = system.processes as [Restartable, Restartable, Restartable]
  const data = join(system.directory, 'postgres')
  const backup = `${data}-backup`
  const archive = await mkdtemp(join(tmpdir(), 'platen-archive-'))
  started.defer(() => rm(archive, { recursive: true }))
  await archiveWal(system.databaseUrl, archive)
  await postgres.restart()
  const shop = await waitFor(() => openShop(system, started), END_TIMEOUT_MS)
  const { api, agent } = shop

  progress('printing, and copying PostgreSQL')
  const early = await shop.create(JOBS)
  const during = shop.create(JOBS)
  await backUp(system.databaseUrl, data, backup)
  const before = [...early, ...(await during), ...(await shop.create(JOBS))]
  await shop.printed(before)
  let waiting: string[] = []
  let point = ''
  await agent.restart(async () => {
    await waitFor(async () => {
      const { body } = await api.get(`/v1/computers/${shop.computerId}`)
      if (body.state !== 'offline') throw new Error(`the computer is ${body.state}`)
    })
    waiting = await shop.create(JOBS)
    const [now] = await query<{ now: string }>(system.databaseUrl, 'SELECT clock_timestamp()::text AS now')
    point = now?.now ?? ''
  })

  progress(`going on after ${point}`)
  await useTransactionNumbers(system.databaseUrl)
  const lost = await shop.create(JOBS)
  await shop.printed([...waiting, ...lost])
  const late = await enrolLate(system, shop)
  const calls = await shop.readCalls()
  await finishArchive(system.databaseUrl)

  progress('restoring')
  await platen.restart(async () => {
    await postgres.restart(async () => {
      await rename(data, `${data}-lost`)
      execFileSync('cp', ['-a', backup, data])
      recoverTo(data, point, archive)
    })
    progress(`deleted ${(await deleteStreams(system)).join(', ')}`)
  })
  await waitFor(() => api.get('/v1/printers'), END_TIMEOUT_MS)

  progress('checking')
  await shows(`${JOBS} jobs that were printed after the point are done, and their followers missed nothing`, () =>
    shop.printed(waiting),
  )
  await shows(`${before.length} jobs from before the point are done`, () => shop.printed(before))
  const again = (await shop.readCalls()).slice(calls.length)
  check('no job was printed a second time', [...again, ...(await shop.readSecondPrints())])
  const statuses = await Promise.all(lost.map(async (id) => (await api.get(`/v1/printjobs/${id}`)).status))
  check(
    `${JOBS} jobs created after the point answer 404`,
    statuses.filter((status) => status !== 404),
  )
  const { status } = await createApi(system.baseUrl, late.key).get('/v1/printers')
  check('a key created after the point is refused', status === 401 ? undefined : `status ${status}`)
  const refusal = await connectLightAgent(system.agentAddress, late.credential).then(
    (connected) => {
      connected.close()
      return 'accepted'
    },
    (error: Error) => error.message,
  )
  check('an agent enrolled after the point is refused', refusal.startsWith('UNAUTHENTICATED') ? undefined : refusal)
  const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text()
  const counted = metrics.split('\n').find((line) => line.startsWith(HELLOS))
  check('the refusal is counted', counted === `${HELLOS} 1` ? undefined : (counted ?? 'no such series'))

  const created = [...(await shop.create(JOBS)), ...(await shop.create(JOBS))]
  await shows(`followers and receiver with cursors from before see the ${created.length} jobs created after it`, () =>
    shop.printed(created),
  )
  check('no job was printed twice', await shop.readSecondPrints())
  const accepted = before.length + waiting.length + created.length
  await shows(`the usage is ${accepted} prints`, () =>
    waitFor(async () => {
      const { used } = (await api.get('/v1/usage')).body.prints
      const [rows] = await query<{ count: string }>(
        system.databaseUrl,
        `SELECT count(*) FROM jobs.job WHERE organization_id = '${shop.organizationId}'`,
      )
      if (used !== accepted || Number(rows?.count) !== accepted)
        throw new Error(`${used} prints and ${rows?.count} jobs`)
    }),
  )
  check('no process ended by itself', system.unexpectedEnds)
}

/** What a backup from before does not know: a key, and an agent. */
async function enrolLate(system: System, { api, organizationId }: Shop) {
  const { body } = await api.post('/v1/enrollments', {})
  const { credential } = await system.enroll(body.token)
  const connected = await connectLightAgent(system.agentAddress, credential)
  connected.close()
  return { credential, key: await system.addKey(organizationId, 'live', ['read']) }
}

/** @returns their names. */
async function deleteStreams({ natsUrl }: System): Promise<string[]> {
  const operator = createTestProcess('operator')
  try {
    const { manager } = await connectNats(operator, parseNatsUrl(natsUrl))
    const names: string[] = []
    for await (const { config } of manager.streams.list())
      if (config.name.startsWith('PLATEN_')) names.push(config.name)
    for (const name of names) await manager.streams.delete(name)
    return names
  } finally {
    await operator.stop()
  }
}
