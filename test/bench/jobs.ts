/**
 * `npm run bench -- jobs`: how many jobs a second go from REST to `done`, how long a creation takes and how long until
 * the agent has the job, what each process computes for a job and holds afterwards, and peers of the same run, one of
 * which is the floor of the database.
 *
 * Each measurement has several phases, since the speed of a machine changes within minutes. The table shows the median
 * of each figure. The CPU of the clients and agents, whose work for a job is constant, shows how fast the machine was;
 * that of other programs, how much of it was missing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type System, startSystem } from '../harness/system.ts'
import { type Amounts, addAmounts, ENDPOINT_NETWORK } from './amounts.ts'
import { besideBareTimer } from './bare-timer.ts'
import { cpuMicroseconds, machineMicroseconds, memoryFigures } from './cpu.ts'
import {
  CLIENTS,
  createInTurn,
  createSteadily,
  type LoadOptions,
  type Phase,
  saturate,
  startLoad,
  stopLoad,
} from './load.ts'
import { measurePairs } from './pairs.ts'
import { measurePeers } from './peers.ts'
import { cleanUp, runStatement } from './postgres.ts'
import { cpuFigures, type Figures, medians, printTable } from './report.ts'

/** Until each organization has an ended job. */
const FIRST_SECONDS = 1
/** Before that, the same code is up to 40 % slower: the JIT is cold. */
export const WARM_UP_SECONDS = 20
const PHASES = 5
/** Jobs a second. Most installations have few, and batches save nothing for these. */
const STEADY_RATES = [100, 20, 1]
/** All processes together, when they have caught up: a fifth of a core. */
const IDLE_US_PER_SECOND = 200_000
const SETTLE_LIMIT_MS = 60_000

/** "one" with all services, as `npm start` has it, or "separate" ones, as on a cluster. */
export type Processes = 'one' | 'separate'

export interface JobsOptions extends LoadOptions, Amounts {
  processes: Processes
  /** The length of a phase. */
  seconds: number
}

export async function benchJobs(options: JobsOptions): Promise<void> {
  const { processes, seconds, ...amounts } = options
  console.log('starting …')
  const system = await startSystem({
    together: processes === 'one',
    env: { PLATEN_ALLOWED_NETWORKS: ENDPOINT_NETWORK },
  })
  try {
    const load = await startLoad(system, options)
    await saturate(load, FIRST_SECONDS)
    await addAmounts(system, load, options)
    await settle(system)
    console.log(`warming up, ${WARM_UP_SECONDS} s …`)
    await saturate(load, WARM_UP_SECONDS)
    console.log(`${PHASES} times as fast as ${CLIENTS} clients can, and graphile-worker in turn, ${seconds} s each …`)
    const full = await measurePairs(
      system,
      { pairs: PHASES, seconds },
      () => runPhase(system, 'job', () => saturate(load, seconds)),
      () => settle(system),
    )
    const steady: Figures = {}
    for (const rate of STEADY_RATES) {
      console.log(`${PHASES} times steady at ${rate}/s, ${seconds} s each …`)
      Object.assign(
        steady,
        medians(
          await runPhases(system, `job at ${rate}/s`, () =>
            besideBareTimer(`${rate}/s`, () => createSteadily(load, rate, seconds)),
          ),
        ),
      )
    }
    console.log(`${PHASES} times one client, one job after the other, ${seconds} s each …`)
    const inTurn = await runPhases(system, 'job of one client', () => createInTurn(load, seconds))
    const memory = await memoryFigures(system.pids)
    await stopLoad(load)
    await settle(system)
    const sizes = await measureSizes(system)
    for (const { name, stop } of system.processes.toReversed()) if (name !== 'postgres') await stop()
    const peers = await measurePeers(system, seconds)

    const { 'jobs/s to done': perSecond = Number.NaN, ...cpuOfJob } = medians(full)
    const rates = full.map((phase) => phase['jobs/s to done'] ?? Number.NaN)
    printTable({
      processes,
      ...amounts,
      'jobs/s to done': perSecond,
      'jobs/s to done, lowest phase': Math.min(...rates),
      'jobs/s to done, highest phase': Math.max(...rates),
      ...cpuOfJob,
      ...steady,
      ...medians(inTurn),
      ...memory,
      ...sizes,
      ...peers,
      'floor / jobs': Number(((peers['floor jobs/s'] ?? Number.NaN) / perSecond).toFixed(2)),
    })
  } finally {
    await system.stop()
  }
}

async function runPhases(system: System, unit: string, run: () => Promise<Phase>): Promise<Figures[]> {
  const phases: Figures[] = []
  while (phases.length < PHASES) phases.push(await runPhase(system, unit, run))
  return phases
}

/** @returns the figures of a phase, with the CPU that each process took for a job. */
export async function runPhase(system: System, unit: string, run: () => Promise<Phase>): Promise<Figures> {
  const before = await readCpu(system)
  const { jobs, figures } = await run()
  const cpu = cpuFigures(unit, before, await readCpu(system), jobs)
  console.log(`  ${JSON.stringify({ ...figures, 'CPU µs': cpu[`CPU µs a ${unit}, sum`] })}`)
  return { ...figures, ...cpu }
}

/**
 * Microseconds of each process and of all of them, of this process, which is the clients and agents, and of everything
 * else.
 */
async function readCpu({ pids }: System) {
  const processes = await cpuMicroseconds(pids)
  const sum = Object.values(processes).reduce((total, us) => total + us, 0)
  const { user, system } = process.cpuUsage()
  const load = user + system
  return { ...processes, sum, 'clients and agents': load, 'other programs': (await machineMicroseconds()) - sum - load }
}

/**
 * What the jobs left, with indexes, after VACUUM. Their documents of 2 KB are in the database until they are deleted.
 */
async function measureSizes({ databaseUrl }: System): Promise<Figures> {
  const rows = await runStatement<{ schema: string; gigabytes: number }>(
    databaseUrl,
    `SELECT nspname AS schema,
      (sum(pg_total_relation_size(pg_class.oid)) / (SELECT count(*) FROM jobs.job) * 1e6 / 1e9)::float AS gigabytes
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind = 'r' AND nspname IN ('jobs', 'usage', 'webhooks')
    GROUP BY nspname ORDER BY nspname`,
  )
  return Object.fromEntries(
    rows.map(({ schema, gigabytes }) => [`GB of ${schema} per million jobs`, Number(gigabytes.toFixed(2))]),
  )
}

/**
 * Waits until what follows a job, such as the webhook feed, has caught up. Then vacuums, so that autovacuum does not
 * clear up after the saturated phases during the steady ones.
 */
export async function settle(system: System): Promise<void> {
  console.log('waiting until the processes are idle …')
  const until = performance.now() + SETTLE_LIMIT_MS
  let before = (await readCpu(system)).sum
  for (let us = Number.POSITIVE_INFINITY; us > IDLE_US_PER_SECOND && performance.now() < until; ) {
    await sleep(1000)
    const after = (await readCpu(system)).sum
    us = after - before
    before = after
  }
  await cleanUp(system.databaseUrl)
}
