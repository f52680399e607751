/**
 * `npm run bench -- jobs [--processes one|separate] [--seconds N]`: how many jobs a second go from REST to `done`, how long a creation takes
 * and how long until the agent has the job at 100/s, what each process computes for a job, and the floor of the database.
 *
 * Each measurement has several phases, since the speed of a machine changes within minutes. The table shows the median of each figure. The
 * CPU of the clients and agents, whose work for a job is constant, shows how fast the machine was; that of other programs, how much of it
 * was missing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { type System, startSystem } from '../harness/system.ts'
import { cpuMicroseconds, machineMicroseconds } from './cpu.ts'
import { measureFloor } from './floor.ts'
import { CLIENTS, createSteadily, type Phase, STEADY_PER_SECOND, saturate, startLoad, stopLoad } from './load.ts'
import { cpuFigures, type Figures, medians, percentile, printTable } from './report.ts'

/** Before that, the same code is up to 40 % slower: the JIT is cold. */
const WARM_UP_SECONDS = 20
const PHASES = 5
const FLOOR_PHASES = 3
/** All processes together, when they have caught up: a fifth of a core. */
const IDLE_US_PER_SECOND = 200_000
const SETTLE_LIMIT_MS = 60_000

/** @param processes "one" with all services, as `npm start` has it, or "separate" ones, as on a cluster. */
export async function benchJobs(processes: 'one' | 'separate', seconds: number): Promise<void> {
  console.log('starting …')
  const system = await startSystem({ together: processes === 'one' })
  try {
    const load = await startLoad(system)
    console.log(`warming up, ${WARM_UP_SECONDS} s …`)
    await saturate(load, WARM_UP_SECONDS)
    console.log(`${PHASES} times as fast as ${CLIENTS} clients can, ${seconds} s each …`)
    const full = await runPhases(system, 'job', () => saturate(load, seconds))
    console.log('waiting until the processes are idle …')
    await settle(system)
    console.log(`${PHASES} times steady at ${STEADY_PER_SECOND}/s, ${seconds} s each …`)
    const steady = await runPhases(system, `job at ${STEADY_PER_SECOND}/s`, () => createSteadily(load, seconds))
    await stopLoad(load)
    await settle(system)
    const sizes = await measureSizes(system)
    console.log(`${FLOOR_PHASES} times the floor, ${seconds} s each …`)
    for (const { name, stop } of system.processes.toReversed()) if (name !== 'postgres') await stop()
    const floor = percentile(await measureFloor(system.databaseUrl, FLOOR_PHASES, seconds), 50)

    const { 'jobs/s to done': perSecond = Number.NaN, ...cpuOfJob } = medians(full)
    const rates = full.map((phase) => phase['jobs/s to done'] ?? Number.NaN)
    printTable({
      processes,
      organizations: 'live',
      'jobs/s to done': perSecond,
      'jobs/s to done, lowest phase': Math.min(...rates),
      'jobs/s to done, highest phase': Math.max(...rates),
      ...cpuOfJob,
      ...medians(steady),
      ...sizes,
      'floor jobs/s': floor,
      'floor / jobs': Number((floor / perSecond).toFixed(2)),
    })
  } finally {
    await system.stop()
  }
}

/** @returns the figures of each phase, with the CPU that each process took for a job. */
async function runPhases(system: System, unit: string, run: () => Promise<Phase>): Promise<Figures[]> {
  const phases: Figures[] = []
  for (let phase = 1; phase <= PHASES; phase++) {
    const before = await readCpu(system)
    const { jobs, figures } = await run()
    phases.push({ ...figures, ...cpuFigures(unit, before, await readCpu(system), jobs) })
    console.log(`  phase ${phase}: ${JSON.stringify(figures)}`)
  }
  return phases
}

/** Microseconds of each process and of all of them, of this process, which is the clients and agents, and of everything else. */
async function readCpu({ pids }: System) {
  const processes = await cpuMicroseconds(pids)
  const sum = Object.values(processes).reduce((total, us) => total + us, 0)
  const { user, system } = process.cpuUsage()
  const load = user + system
  return { ...processes, sum, 'clients and agents': load, 'other programs': (await machineMicroseconds()) - sum - load }
}

/** What the jobs left, with indexes, after VACUUM. Their documents of 2 KB are in the database until they are deleted. */
async function measureSizes({ databaseUrl }: System): Promise<Figures> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ schema: string; gigabytes: number }>(`
    SELECT nspname AS schema,
      (sum(pg_total_relation_size(pg_class.oid)) / (SELECT count(*) FROM jobs.job) * 1e6 / 1e9)::float AS gigabytes
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind = 'r' AND nspname IN ('jobs', 'usage', 'webhooks')
    GROUP BY nspname ORDER BY nspname`)
  await client.end()
  return Object.fromEntries(
    rows.map(({ schema, gigabytes }) => [`GB of ${schema} per million jobs`, Number(gigabytes.toFixed(2))]),
  )
}

/**
 * Waits until what follows a job, such as the webhook feed, has caught up. Then vacuums, so that autovacuum does not clear up after the
 * saturated phases during the steady ones.
 */
async function settle(system: System): Promise<void> {
  const until = performance.now() + SETTLE_LIMIT_MS
  let before = (await readCpu(system)).sum
  for (let us = Number.POSITIVE_INFINITY; us > IDLE_US_PER_SECOND && performance.now() < until; ) {
    await sleep(1000)
    const after = (await readCpu(system)).sum
    us = after - before
    before = after
  }
  const client = new Client({ connectionString: system.databaseUrl })
  await client.connect()
  for (const statement of ['VACUUM ANALYZE', 'CHECKPOINT']) await client.query(statement)
  await client.end()
}
