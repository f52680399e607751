/** Claims waiting jobs for the streams of this replica, with many computers in one call. Called by `dispatch.ts`. */
import type { Claim, ClaimedJob } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { createBatches } from '@platen/runtime/batches.ts'
import type { Devices } from '../devices.ts'
import type { ComputerPrinters } from './computer-printers.ts'

/** The first claim after an idle time is made at once. */
const BATCH_EVERY_MS = 8
const CLAIMS_MAX = 100

/** The number of blocked printers in one call: 380 KB. */
const BLOCKED_PRINTERS_MAX = 10_000

type ClaimRequest = Pick<Claim, 'computerId' | 'epoch' | 'limit' | 'claimedJobIds' | 'queuedOnly'> & {
  organizationId: string
}

export interface Claimed {
  /** To be pushed now, in this order. */
  jobs: JobToPush[]
  /** Claimed jobs that are no longer `sent` and will not be acknowledged. */
  overJobIds: string[]
  /** To be removed by the agent. */
  removeJobIds: string[]
}

/** A claimed job and the name of its printer on the computer. */
export interface JobToPush {
  job: ClaimedJob
  printerOsName: string
}

export interface Claims {
  /**
   * @throws ApiError `service_unavailable`. Jobs may be claimed nevertheless. The next claim without `queuedOnly`
   *   returns them.
   */
  claim(claim: ClaimRequest): Promise<Claimed>
}

export function createClaims(jobs: Devices['jobs'], printers: ComputerPrinters): Claims {
  return {
    claim: createBatches<ClaimRequest, Claimed>({
      everyMs: BATCH_EVERY_MS,
      maxItems: CLAIMS_MAX,
      getKey: ({ computerId }) => computerId,
      getOwner: ({ organizationId }) => organizationId,
      async run(claims) {
        const byComputer = new Map(
          await Promise.all(
            claims.map(async ({ computerId }) => [computerId, await printers.list(computerId)] as const),
          ),
        )
        const find = ({ computerId, printerId }: ClaimedJob) =>
          byComputer.get(computerId)?.find(({ id }) => id === printerId)
        const toClaim = claims.map((claim) => {
          const blocked = byComputer.get(claim.computerId)?.filter((printer) => printer.isBlocked) ?? []
          return { ...claim, blockedPrinterIds: blocked.map(({ id }) => id) }
        })
        const answers = await Promise.all(splitByIds(toClaim).map((each) => jobs.claimJobs({ claims: each })))
        const answer = {
          jobs: answers.flatMap((each) => each.jobs),
          overJobIds: answers.flatMap((each) => each.overJobIds),
          removals: answers.flatMap((each) => each.removals),
        }
        // The cache may not contain a new printer.
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

/** A computer can have hundreds of disabled and removed printers. */
function splitByIds<One extends { blockedPrinterIds: string[] }>(claims: One[]): One[][] {
  const calls: One[][] = []
  let ids = Number.POSITIVE_INFINITY
  for (const claim of claims) {
    ids += claim.blockedPrinterIds.length
    if (ids > BLOCKED_PRINTERS_MAX) {
      calls.push([])
      ids = claim.blockedPrinterIds.length
    }
    calls.at(-1)?.push(claim)
  }
  return calls
}
