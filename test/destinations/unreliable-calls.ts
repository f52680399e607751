/** Calls between services that fail: not carried out, carried out without an answer, or carried out late. */

import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { type ClaimDestinationJobResponse, JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError, toConnectError } from '@platen/runtime/errors.ts'
import type { Random } from '../chaos/random.ts'
import type { DestinationClaim, InjectedFault } from '../checker/history.ts'
import type { Handler, World } from '../harness/world.ts'

const { method: jobs } = JobsService
/**
 * The percentage of late claims. A late one shows whether the service still decides by what was true when the claim
 * began.
 */
const CLAIMS = [
  { method: jobs.claimJobs, late: 8 },
  { method: jobs.claimDestinationJob, late: 25 },
]
/** The percentages of calls that are not carried out, and whose answer is lost. */
const REFUSED = 4
const LOST = 4
const OTHERS = [
  ...[jobs.createJobs, jobs.createBatch, jobs.cancelJob, jobs.cancelBatch, jobs.releaseJob],
  ...[jobs.recordAgentUpdates, jobs.reconcileComputer, jobs.confirmRemoval, jobs.fenceDestination, jobs.endDestination],
  DevicesService.method.resolveDestination,
]

export interface UnreliableCalls {
  /** From now on calls fail by these choices. Without them, none fails. */
  fail(random: Random | undefined, now: () => number): void
  /** Carries out some or all of the late calls. */
  release(count: number): void
  /** Calls that are being carried out. */
  inProgress(): number
  /**
   * Computers with a claim that failed. Devices repeat it after 1 s by real time, which a step of the clock stands for.
   */
  takeFailedClaims(): string[]
  /** Failed and late claims, with the computer as their target. Those of `takeFailedClaims` end there. */
  faults: InjectedFault[]
  /** The claims with a job, also without an answer. */
  claims: DestinationClaim[]
  counts: { refused: number; lost: number; late: number }
}

const failed = () => toConnectError(new ApiError('service_unavailable', 'the test loses the call'))

export function createUnreliableCalls(world: World): UnreliableCalls {
  let random: Random | undefined
  let now = () => 0
  let active = 0
  const late: (() => void)[] = []
  const failedClaims = new Map<string, InjectedFault[]>()
  const counts = { refused: 0, lost: 0, late: 0 }
  const faults: InjectedFault[] = []
  const claims: DestinationClaim[] = []

  function start(kind: string, computerIds: string[]): InjectedFault[] {
    const started = computerIds.map((target) => {
      return { kind, target, startedAtMs: now(), endedAtMs: Number.POSITIVE_INFINITY }
    })
    faults.push(...started)
    return started
  }

  function claimFailed(computerIds: string[]): void {
    for (const fault of start('failed claim', computerIds))
      failedClaims.set(fault.target, [...(failedClaims.get(fault.target) ?? []), fault])
  }

  async function delay(computerIds: string[]): Promise<void> {
    counts.late++
    const started = start('late claim', computerIds)
    active--
    await new Promise<void>((resolve) => late.push(resolve))
    active++
    for (const fault of started) fault.endedAtMs = now()
  }

  const toHandler =
    (isClaim: boolean, late = 0): Handler =>
    async (request, next) => {
      const computerIds = isClaim ? readComputers(request.message) : []
      const dice = random?.integer(1, 100) ?? 100
      active++
      try {
        const isAnswered = dice > REFUSED + LOST
        if (isAnswered && dice <= REFUSED + LOST + late) await delay(computerIds)
        if (dice <= REFUSED) {
          counts.refused++
          throw failed()
        }
        const answer = await next(request)
        if (request.method === jobs.claimDestinationJob) claims.push(...toClaims(answer.message, now()))
        if (isAnswered) return answer
        counts.lost++
        throw failed()
      } catch (error) {
        claimFailed(computerIds)
        throw error
      } finally {
        active--
      }
    }
  for (const { method, late: percent } of CLAIMS) world.intercept(method, toHandler(true, percent))
  for (const method of OTHERS) world.intercept(method, toHandler(false))

  return {
    fail(choices, clock) {
      random = choices
      now = clock
    },
    release(count) {
      for (const resolve of late.splice(0, count)) resolve()
    },
    inProgress: () => active,
    takeFailedClaims() {
      const computerIds = [...failedClaims.keys()]
      for (const fault of [...failedClaims.values()].flat()) fault.endedAtMs = now()
      failedClaims.clear()
      return computerIds
    },
    faults,
    claims,
    counts,
  }
}

function toClaims(message: unknown, takenAtMs: number): DestinationClaim[] {
  const { job } = message as ClaimDestinationJobResponse
  return job ? [{ jobId: job.jobId, printerId: job.printerId, takenAtMs }] : []
}

function readComputers(message: unknown): string[] {
  const { computerId, claims = [] } = message as { computerId?: string; claims?: { computerId: string }[] }
  return computerId === undefined ? claims.map((claim) => claim.computerId) : [computerId]
}
