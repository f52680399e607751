/** Claims waiting jobs for the streams of this replica, many computers in one call. Called by `dispatch.ts`. */
import type { Claim, ClaimedJob } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { createBatches } from '@platen/runtime/batches.ts'
import type { Pool } from 'pg'
import type { Devices } from '../devices.ts'

const CLAIMS_MAX = 100

type AskedClaim = Pick<Claim, 'computerId' | 'epoch' | 'limit' | 'claimedJobIds' | 'queuedOnly'>

export interface Claimed {
  /** What should go down the stream now, in that order. */
  jobs: JobToPush[]
  /** Of the claimed jobs that the stream has no answer for those that will get none: they are not `sent` any more. */
  overJobIds: string[]
  /** What the agent must be told to remove. */
  removeJobIds: string[]
}

/** A claimed job and the name that its printer has at its computer. */
export interface JobToPush {
  job: ClaimedJob
  printerOsName: string
}

export interface Claims {
  /** @throws ApiError `service_unavailable`; jobs may then be claimed and must be looked for. */
  claim(claim: AskedClaim): Promise<Claimed>
}

export function createClaims(jobs: Devices['jobs'], pool: Pool): Claims {
  return {
    claim: createBatches<AskedClaim, Claimed>({
      maxItems: CLAIMS_MAX,
      keyOf: ({ computerId }) => computerId,
      async run(claims) {
        const printers = await readPrinters(
          pool,
          claims.map(({ computerId }) => computerId),
        )
        const held = Map.groupBy(
          printers.filter((printer) => printer.held),
          ({ computer_id }) => computer_id,
        )
        const answer = await jobs.claimJobs({
          claims: claims.map((claim) => ({
            ...claim,
            heldPrinterIds: held.get(claim.computerId)?.map(({ id }) => id) ?? [],
          })),
        })
        const osNames = new Map(printers.map(({ id, os_name }) => [id, os_name]))
        const toPush = Map.groupBy(answer.jobs, ({ computerId }) => computerId)
        const over = new Set(answer.overJobIds)
        const toRemove = Map.groupBy(answer.removals, ({ computerId }) => computerId)
        return new Map(
          claims.map(({ computerId, claimedJobIds }) => [
            computerId,
            {
              jobs: (toPush.get(computerId) ?? []).map((job) => ({
                job,
                printerOsName: osNames.get(job.printerId) ?? '',
              })),
              overJobIds: claimedJobIds.filter((id) => over.has(id)),
              removeJobIds: (toRemove.get(computerId) ?? []).map(({ jobId }) => jobId),
            },
          ]),
        )
      },
    }),
  }
}

interface PrinterRow {
  id: string
  computer_id: string
  os_name: string
  held: boolean
}

/** Jobs of a printer that is disabled or gone stay `queued` until it is back or they expire. */
async function readPrinters(pool: Pool, computerIds: string[]): Promise<PrinterRow[]> {
  const { rows } = await pool.query<PrinterRow>({
    name: 'printers of computers',
    text: `SELECT id, computer_id, os_name, NOT enabled OR removed_at IS NOT NULL AS held
           FROM devices.printer WHERE computer_id = ANY($1::uuid[])`,
    values: [computerIds],
  })
  return rows
}
