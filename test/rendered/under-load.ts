/** What may happen to requests, jobs and computers while containers are replaced, killed and missing. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Checks } from '../harness/checks.ts'
import { waitFor } from '../harness/wait-for.ts'
import type { Failure, Load } from './load.ts'
import type { Prometheus } from './prometheus.ts'
import type { Cluster, Pod } from './run-manifests.ts'
import { docker } from './run-pod.ts'
import { NATS_SERVERS, POSTGRES, type Servers } from './servers.ts'

interface Run {
  cluster: Cluster
  servers: Servers
  load: Load
  prometheus: Prometheus
  check: Checks['check']
}

/** After this time a computer without a stream is offline. */
export const OFFLINE_GRACE_SECONDS = 5
/** From the kill until no connection leads to the container. */
const NOTICED_MS = 1_000
const NATS_AWAY_MS = 3_000
const JOBS_AFTER_OUTAGE = 100
const RECOVERY_LIMIT_MS = 60_000

export async function restartAll({ cluster, load, check }: Run): Promise<void> {
  const failures = await load.during(async () => {
    for (const workload of cluster.workloads) await cluster.roll(workload)
    await Promise.all(cluster.terminations)
    // A computer that lost its stream is offline after this time.
    await sleep((OFFLINE_GRACE_SECONDS + 1) * 1000)
  })
  check('a rolling restart of each workload fails no request', failures.map(describe))
  check('no computer is offline', [...load.countEvents('computer.offline').keys()])
  const ended = await Promise.all(cluster.terminations)
  const unclean = ended.filter(([, code]) => code !== 0).map(([name, code]) => `${name} ended with ${code}`)
  check(`each of ${ended.length} containers ends with 0 within its grace period`, unclean)
  check(
    'no container restarts',
    [...cluster.pods].filter(({ restarts }) => restarts > 0).map(({ name }) => name),
  )
}

export async function killEach({ cluster, servers, load, check }: Run): Promise<void> {
  for (const pod of [...cluster.pods]) {
    let killedAtMs = 0
    const failures = await load.during(async () => {
      const { restarts } = pod
      killedAtMs = Date.now()
      await docker('kill', pod.id)
      await waitFor(() => {
        if (pod.restarts === restarts) throw new Error(`${pod.name} has not restarted`)
      })
      await cluster.untilReady()
    })
    const isGateway = cluster.findPods('gateway').includes(pod)
    const isAllowed = ({ status, startedAtMs }: Failure) =>
      isGateway && status === undefined && startedAtMs <= killedAtMs + NOTICED_MS
    const cut = failures.filter(isAllowed).length
    const fact = isGateway ? `fails ${cut} requests in progress and no other` : 'fails no request'
    check(`the kill of ${pod.name} ${fact}`, failures.filter((one) => !isAllowed(one)).map(describe))
  }
  for (const name of NATS_SERVERS) {
    const failures = await load.during(async () => {
      await docker('kill', name)
      await sleep(NATS_AWAY_MS)
      await docker('start', name)
      await servers.untilHealthy()
    })
    check(`the kill of ${name} fails no request`, failures.map(describe))
  }
}

/** Lasts until the alert fires. */
export async function stopPostgres({ cluster, load, prometheus, check }: Run): Promise<void> {
  const restarts = () => [...cluster.pods].reduce((sum, pod) => sum + pod.restarts, 0)
  const restartsBefore = restarts()
  let unready: Pod[] = []
  const failures = await load.during(async () => {
    await docker('kill', POSTGRES)
    await prometheus.untilFiring('DatabaseUnavailable')
    unready = cluster.findPods('gateway').filter(({ isReady }) => !isReady)
    await docker('start', POSTGRES)
    const { accepted } = load.figures()
    await waitFor(() => {
      if (load.figures().accepted < accepted + JOBS_AFTER_OUTAGE) throw new Error('no jobs are accepted')
    }, RECOVERY_LIMIT_MS)
    await cluster.untilReady()
  })
  check('without PostgreSQL the alert DatabaseUnavailable fires', [])
  check(
    'without PostgreSQL all gateways are ready',
    unready.map(({ name }) => name),
  )
  check('without PostgreSQL no container restarts', restarts() === restartsBefore ? [] : ['containers restarted'])
  check(
    `without PostgreSQL each failed request (${failures.length}) has the envelope of 503, or 429 for waiting uploads, with Retry-After`,
    failures.filter(({ status, isRetryable }) => (status !== 503 && status !== 429) || !isRetryable).map(describe),
  )
}

const describe = ({ path, status, what, startedAtMs, endedAtMs }: Failure) =>
  `${path.split('?')[0]}: ${status ?? 'no answer'} after ${endedAtMs - startedAtMs} ms: ${what}`
