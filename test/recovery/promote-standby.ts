/**
 * The primary is killed, and an asynchronous standby that lacks its last transactions is promoted. The services run on;
 * their URL leads to the standby before its promotion, as during a failover of an operator.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runSteadily } from '../bench/report.ts'
import type { Exchange } from '../harness/api.ts'
import type { Checks } from '../harness/checks.ts'
import { freePort } from '../harness/free-port.ts'
import type { Restartable } from '../harness/restartable.ts'
import { startSystem } from '../harness/system.ts'
import { type Address, startTcpProxy } from '../harness/tcp-proxy.ts'
import { waitFor } from '../harness/wait-for.ts'
import { RECEIVER_ENVIRONMENT } from '../harness/webhook-receiver.ts'
import { backUp, query, startStandby, stopReceiving, useTransactionNumbers } from './postgres-backup.ts'
import { openShop, type Shop } from './shop.ts'

const JOBS = 20
const CREATIONS_PER_SECOND = 10
/** Without a server, then with the standby that is not promoted yet. */
const AWAY_MS = 3_000
const RECOVERY_TIMEOUT_MS = 30_000

export async function promoteStandby({ progress, check, shows }: Checks): Promise<void> {
  await using started = new AsyncDisposableStack()
  progress('starting')
  const primary: Address = { host: '127.0.0.1', port: 0 }
  const listen = { host: '127.0.0.1', port: await freePort() }
  started.adopt(await startTcpProxy(listen, primary), (one) => one.close())
  const route = async (_client: string, server: string, [first]: Address[]) => {
    if (server !== 'postgres' || !first) return first ?? primary
    Object.assign(primary, first)
    return listen
  }
  const system = started.adopt(await startSystem({ route, env: RECEIVER_ENVIRONMENT }), (one) => one.stop())
  const [postgres] = system.processes as [Restartable]
  const pids = () => system.processes.slice(1).map(({ name, pid }) => `${name} ${pid}`)
  const pidsBefore = pids()
  const shop = await openShop(system, started)

  progress('copying PostgreSQL, and starting the standby')
  const kept = await shop.create(JOBS)
  const directory = join(system.directory, 'postgres-standby')
  await backUp(system.databaseUrl, join(system.directory, 'postgres'), directory)
  const port = await freePort()
  const logFile = join(system.directory, 'logs/standby.log')
  const standby = started.adopt(await startStandby(system.databaseUrl, { directory, port, logFile }), (one) =>
    one.stop(),
  )
  kept.push(...(await shop.create(JOBS)))
  await shop.printed(kept)
  await untilReplicated(system.databaseUrl, standby.url)
  await stopReceiving(standby.url)
  progress('printing what the standby does not get')
  await useTransactionNumbers(system.databaseUrl)
  const lost = await shop.create(JOBS)
  await shop.printed(lost)

  const load = startLoad(shop)
  started.defer(async () => void (await load.stop()))
  // The old primary must not come back while the services could reach it.
  await postgres.kill(async () => {
    progress('the primary is killed')
    await sleep(AWAY_MS)
    primary.port = port
    progress('the services reach the standby')
    await sleep(AWAY_MS)
    const promotedAt = performance.now()
    await query(standby.url, 'SELECT pg_promote()')
    await waitFor(() => shop.create(1), RECOVERY_TIMEOUT_MS)
    const recoveryMs = Math.round(performance.now() - promotedAt)
    progress(`the services accept jobs ${recoveryMs} ms after the promotion was asked for`)
    const during = (await load.stop()).filter(({ atMs }) => atMs > promotedAt).map(({ id }) => id)

    const created = await shop.create(JOBS)
    const unexpected = shop.exchanges.filter(isUnexpected).map(describe)
    const refused = shop.exchanges.filter(({ answer }) => answer?.status === 503)
    check(`of ${shop.exchanges.length} requests ${refused.length} got a 503, and none another error`, unexpected)
    check('the services were without a database', refused.length > 0 ? undefined : 'no request was refused')
    await shows(`followers and receiver miss none of ${during.length} jobs created during and after the failover`, () =>
      shop.printed([...during, ...created]),
    )
    await shows(`${kept.length} jobs of the standby are done`, () => shop.printed(kept))
    const statuses = await Promise.all(lost.map(async (id) => (await shop.api.get(`/v1/printjobs/${id}`)).status))
    check(
      `${JOBS} lost jobs answer 404`,
      statuses.filter((status) => status !== 404),
    )
    check('no job was printed twice', await shop.readSecondPrints())
    check(
      'no service was restarted',
      pids().filter((pid) => !pidsBefore.includes(pid)),
    )
    check('no process ended by itself', system.unexpectedEnds)
  })
}

async function untilReplicated(primaryUrl: string, standbyUrl: string): Promise<void> {
  const [at] = await query<{ lsn: string }>(primaryUrl, 'SELECT pg_current_wal_lsn()::text AS lsn')
  await waitFor(async () => {
    const reached = await query(standbyUrl, `SELECT WHERE pg_last_wal_replay_lsn() >= '${at?.lsn}'`)
    if (reached.length === 0) throw new Error('the standby is behind')
  })
}

/** Creates jobs at a fixed rate, each repeated with its `Idempotency-Key` until it is accepted. */
function startLoad(shop: Shop) {
  const stopping = new AbortController()
  const creations = runSteadily(CREATIONS_PER_SECOND, stopping.signal, async (_, n) => {
    const id = await shop.createOnce(`during ${n}`, AbortSignal.timeout(RECOVERY_TIMEOUT_MS))
    return id === undefined ? undefined : { id, atMs: performance.now() }
  })
  return {
    /** @returns the jobs, and when their creation was answered, by `performance.now()`. */
    async stop() {
      stopping.abort()
      return (await creations).filter((job) => job !== undefined)
    },
  }
}

/** Without an answer, or with an error that clients do not expect. A job can be unknown, because it is lost. */
const isUnexpected = ({ answer, path }: Exchange): boolean => {
  if (!answer) return true
  if (answer.status === 503) return answer.body?.error?.code !== 'service_unavailable'
  return answer.status >= 400 && !(answer.status === 404 && path.startsWith('/v1/printjobs/'))
}

const describe = ({ method, path, answer }: Exchange): string =>
  `${method} ${path} ${answer?.status ?? 'no answer'} ${JSON.stringify(answer?.body?.error ?? '')}`
