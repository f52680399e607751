/**
 * Platen and graphile-worker in turn, on one PostgreSQL: the speed of a machine changes within minutes, so only figures
 * of one pair can be compared. The services of Platen are idle while graphile-worker works; their parts of PostgreSQL
 * then are below 2 % of a job.
 */
import type { System } from '../harness/system.ts'
import { withGraphileWorker } from './graphile-worker.ts'
import { measurePhase } from './peers.ts'
import type { Figures } from './report.ts'

const WORKER = 'graphile-worker'
/** The share of Platen in a pair, of 100 of graphile-worker. */
export const CPU_PERCENT = 'CPU a job, % of graphile-worker'
export const RATE_PERCENT = 'jobs/s, % of graphile-worker'

/**
 * @param runPlaten a phase that saturates Platen. Its figures have `jobs/s to done` and `CPU µs a job, sum`.
 * @param settle waits until the services are idle.
 * @returns the figures of both and their percentages, for each pair.
 */
export async function measurePairs(
  { databaseUrl, pids }: System,
  { pairs, seconds }: { pairs: number; seconds: number },
  runPlaten: () => Promise<Figures>,
  settle: () => Promise<void>,
): Promise<Figures[]> {
  const onPostgres = { postgres: pids.postgres ?? 0, self: process.pid }
  return await withGraphileWorker(databaseUrl, async (run) => {
    await run(seconds)
    const figures: Figures[] = []
    for (let pair = 1; pair <= pairs; pair++) {
      const platen = await runPlaten()
      await settle()
      const worker = await measurePhase(WORKER, onPostgres, seconds, run)
      await settle()
      const percent = (ofPlaten: string, ofWorker: string) =>
        Math.round((100 * (platen[ofPlaten] ?? Number.NaN)) / (worker[ofWorker] ?? Number.NaN))
      const percents = {
        [CPU_PERCENT]: percent('CPU µs a job, sum', `CPU µs a job, ${WORKER}`),
        [RATE_PERCENT]: percent('jobs/s to done', `${WORKER} jobs/s`),
      }
      console.log(`  pair ${pair}: ${JSON.stringify({ ...worker, ...percents })}`)
      figures.push({ ...platen, ...worker, ...percents })
    }
    return figures
  })
}
