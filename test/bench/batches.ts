/**
 * `npm run bench -- batches`: what a job costs that is created alone, and one of a batch of 100. The jobs are held, so
 * that only their creation is measured; then both go to `done`. The phases alternate, since the speed of a machine
 * changes within minutes.
 */
import { BATCH_LIMITS } from '@platen/resources/limits.ts'
import { startSystem } from '../harness/system.ts'
import { ENDPOINT_NETWORK } from './amounts.ts'
import { runPhase, settle, WARM_UP_SECONDS } from './jobs.ts'
import { createBatches, createHeld, type Phase, saturate, startLoad, stopLoad } from './load.ts'
import { type Figures, medians, printTable } from './report.ts'

const PHASES = 4
const ORGANIZATIONS = 10

export async function benchBatches(seconds: number): Promise<void> {
  const system = await startSystem({ together: true, env: { PLATEN_ALLOWED_NETWORKS: ENDPOINT_NETWORK } })
  try {
    const load = await startLoad(system, { organizations: ORGANIZATIONS, printers: 1 })
    console.log(`warming up, ${WARM_UP_SECONDS} s each …`)
    await saturate(load, WARM_UP_SECONDS)
    await createBatches(load, WARM_UP_SECONDS, { hold: false })
    const kinds: Record<string, () => Promise<Phase>> = {
      'held job': () => createHeld(load, seconds),
      'held job of a batch': () => createBatches(load, seconds, { hold: true }),
      job: () => saturate(load, seconds),
      'job of a batch': () => createBatches(load, seconds, { hold: false }),
    }
    const phases: Record<string, Figures[]> = {}
    for (let n = 0; n < PHASES; n++)
      for (const [unit, run] of Object.entries(kinds)) {
        await settle(system)
        phases[unit] = [...(phases[unit] ?? []), await runPhase(system, unit, run)]
      }
    await stopLoad(load)
    const figures = Object.values(phases).map(medians)
    const read = (unit: string) =>
      figures.map((one) => one[`CPU µs a ${unit}, sum`]).find((one) => one !== undefined) ?? Number.NaN
    const ratio = (unit: string) => Number((read(`${unit} of a batch`) / read(unit)).toFixed(2))
    printTable({
      'jobs of a batch': BATCH_LIMITS.jobsMax,
      ...Object.assign({}, ...figures),
      'creation in a batch / alone': ratio('held job'),
      'job to done in a batch / alone': ratio('job'),
    })
  } finally {
    await system.stop()
  }
}
