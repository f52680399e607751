/**
 * Random printers, jobs, edits of destinations and failures: docs/reference/destinations.md.
 * `npm run test:long -- destinations` runs many seeds. PLATEN_DESTINATION_SEEDS says how many, PLATEN_DESTINATION_FIRST
 * the first one.
 */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Counts, RESEND_AFTER_MS, runSeed } from '@platen/test/destinations/run-seed.ts'
import { OFFLINE_GRACE_MS } from '@platen/test/destinations/shop.ts'
import { createUnreliableCalls } from '@platen/test/destinations/unreliable-calls.ts'
import { startOwnWorld } from '@platen/test/harness/world.ts'
import { expect, test } from 'vitest'

const read = (name: string, byDefault: number) => Number(process.env[`PLATEN_DESTINATION_${name}`] ?? byDefault)
const FIRST = read('FIRST', 1)
const SEEDS = read('SEEDS', 1)
/** The checker reads the whole database of a world. */
const PER_WORLD = 10
/** The time of a busy machine for one world. */
const TIMEOUT_MS = 600_000

const groups = Array.from({ length: Math.ceil(SEEDS / PER_WORLD) }, (_, n) => {
  const first = FIRST + n * PER_WORLD
  return [first, Math.min(first + PER_WORLD, FIRST + SEEDS) - 1] as const
})

/** @returns the file. */
async function keep(result: object): Promise<string> {
  const file = join(
    await mkdtemp(join(process.env.PLATEN_EVIDENCE_DIR ?? tmpdir(), 'platen-evidence-')),
    'history.json',
  )
  await writeFile(file, JSON.stringify(result, null, 1))
  return file
}

test.each(groups)(
  'seeds %i to %i: no job is printed twice, waits for a free printer, overtakes another or is lost',
  async (first, last) => {
    const world = await startOwnWorld({
      jobs: { resendAfterMs: RESEND_AFTER_MS },
      devices: { offlineGraceMs: OFFLINE_GRACE_MS },
    })
    const calls = createUnreliableCalls(world)
    const failed: object[] = []
    const totals: Partial<Counts> = {}
    for (let seed = first; seed <= last; seed++) {
      const { violations, counts, history } = await runSeed(world, calls, seed)
      for (const [name, count] of Object.entries(counts) as [keyof Counts, number][])
        totals[name] = (totals[name] ?? 0) + count
      if (violations.length > 0)
        failed.push({ seed, violations: violations.slice(0, 5), history: await keep({ violations, history }) })
    }
    console.log(`seeds ${first} to ${last}: ${JSON.stringify(totals)}`)
    expect(failed).toEqual([])
  },
  TIMEOUT_MS,
)
