/** Claims waiting jobs for the streams of this replica, many computers in one call. Called by `dispatch.ts`. */
import type { Claim, ClaimedJob } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { createBatches } from '@platen/runtime/batches.ts'
import type { Devices } from '../devices.ts'
import type { ComputerPrinters } from './computer-printers.ts'

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

export function createClaims(jobs: Devices['jobs'], printers: ComputerPrinters): Claims {
  return {
    claim: createBatches<AskedClaim, Claimed>({
      maxItems: CLAIMS_MAX,
      keyOf: ({ computerId }) => computerId,
      async run(claims) {
        const byComputer = new Map(
          await Promise.all(
            claims.map(async ({ computerId }) => [computerId, await printers.list(computerId)] as const),
          ),
        )
        const find = ({ computerId, printerId }: ClaimedJob) =>
          byComputer.get(computerId)?.find(({ id }) => id === printerId)
        const answer = await jobs.claimJobs({
          claims: claims.map((claim) => {
            const held = byComputer.get(claim.computerId)?.filter((printer) => printer.held) ?? []
            return { ...claim, heldPrinterIds: held.map(({ id }) => id) }
          }),
        })
        // A printer can be newer than the cache.
        const outdated = new Set(answer.jobs.filter((job) => !find(job)).map(({ computerId }) => computerId))
        for (const computerId of outdated) {
          printers.delete(computerId)
          byComputer.set(computerId, await printers.list(computerId))
        }
        const toPush = Map.groupBy(answer.jobs, ({ computerId }) => computerId)
        const over = new Set(answer.overJobIds)
        const toRemove = Map.groupBy(answer.removals, ({ computerId }) => computerId)
        return new Map(
          claims.map(({ computerId, claimedJobIds }) => [
            computerId,
            {
              jobs: (toPush.get(computerId) ?? []).map((job) => ({ job, printerOsName: find(job)?.osName ?? '' })),
              overJobIds: claimedJobIds.filter((id) => over.has(id)),
              removeJobIds: (toRemove.get(computerId) ?? []).map(({ jobId }) => jobId),
            },
          ]),
        )
      },
    }),
  }
}
