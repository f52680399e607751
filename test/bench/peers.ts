/** What a user could run instead of Platen for a part of its work, measured in the same run of `bench jobs`. */
import { missingPrograms } from '../cups/find-cups.ts'
import type { System } from '../harness/system.ts'
import { cpuMicroseconds } from './cpu.ts'
import { withCups } from './cups.ts'
import { withFloor } from './floor.ts'
import { type Figures, medians } from './report.ts'

const PHASES = 3

/** Works for so many seconds and until its last job is done. @returns the number of jobs. */
export type Run = (seconds: number) => Promise<number>

/** @returns the median of each figure of each peer but graphile-worker (`pairs.ts`). */
export async function measurePeers({ databaseUrl, pids }: System, seconds: number): Promise<Figures> {
  const onPostgres = { postgres: pids.postgres ?? 0, self: process.pid }
  const floor = await withFloor(databaseUrl, (run) => measure('floor', onPostgres, seconds, run))
  const missing = missingPrograms()
  if (missing.length > 0) console.log(`CUPS is skipped: ${missing.join(', ')} are missing`)
  const cups = missing.length > 0 ? {} : await withCups((run, cupsd) => measure('CUPS', { cupsd }, seconds, run))
  return { ...floor, ...cups }
}

/** @param pids of the processes that work for the peer. */
async function measure(name: string, pids: Record<string, number>, seconds: number, run: Run): Promise<Figures> {
  console.log(`${PHASES} times ${name}, ${seconds} s each …`)
  await run(seconds)
  const phases: Figures[] = []
  while (phases.length < PHASES) phases.push(await measurePhase(name, pids, seconds, run))
  return medians(phases)
}

/** @param pids of the processes that work for the peer. */
export async function measurePhase(
  name: string,
  pids: Record<string, number>,
  seconds: number,
  run: Run,
): Promise<Figures> {
  const [usBefore, startedAt] = [await sumCpu(pids), performance.now()]
  const jobs = await run(seconds)
  const perSecond = Math.round((jobs / (performance.now() - startedAt)) * 1000)
  const us = Math.round(((await sumCpu(pids)) - usBefore) / jobs)
  return { [`${name} jobs/s`]: perSecond, [`CPU µs a job, ${name}`]: us }
}

async function sumCpu(pids: Record<string, number>): Promise<number> {
  return Object.values(await cpuMicroseconds(pids)).reduce((sum, us) => sum + us, 0)
}
