/**
 * S8: an `Idempotency-Key` makes one job, whatever was sent with it and however often; of the answers 201 all name it, and all but one say
 * that they are a replay. The one that does not may have been lost on its way.
 */
import type { ClientCall } from '../history.ts'
import type { Facts } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

const violation = violationOf('S8')

export function checkIdempotency({ history, jobs }: Facts): Violation[] {
  const byKey = Map.groupBy(
    history.calls.filter(({ key }) => key !== undefined),
    nameOf,
  )
  const made = Map.groupBy(
    [...jobs.values()].filter(({ creations }) => creations[0]?.key !== undefined),
    ({ creations: [call] }) => nameOf(call),
  )
  return [...byKey].flatMap(([name, calls]) => {
    const accepted = calls.filter(({ status }) => status === 201)
    const jobIds = new Set([...accepted.map(({ jobId }) => jobId), ...(made.get(name) ?? []).map(({ row }) => row.id)])
    const first = accepted.filter(({ isReplay }) => !isReplay)
    return [
      ...(jobIds.size > 1 ? [violation('doubled', name, `${jobIds.size} jobs were made or named with this key.`)] : []),
      ...(first.length > 1 ? [violation('doubled', name, `${first.length} answers say that they made the job.`)] : []),
    ]
  })
}

const nameOf = (call: ClientCall | undefined) => `${call?.key} of ${call?.organizationId}`
