/**
 * L4: the file store holds the documents of the jobs and no others.
 *
 * A creation without an answer, but for a reprint, which stores nothing, may leave a document that belongs to no job, since the gateway that stored it may have died; and
 * a creation that was not answered 201 may have lost the document of its job, since the gateway takes back what it could not promise.
 * A fetch that was interrupted may leave what it had, when its job ends meanwhile or the other replica's attempt does not know of it.
 */
import type { ClientCall, History, JobRow } from '../history.ts'
import { isDisturbed } from './disturbances.ts'
import { type Facts, isUndecided } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

const violation = violationOf('L4')

const isAccepted = ({ status }: ClientCall) => status === 201

export function checkDocuments({ jobs, history, creations }: Facts): Violation[] {
  const stored = new Set(history.storedDocuments)
  const missing = [...jobs.values()].filter(
    ({ row, creations }) => row.storageKey !== null && creations.some(isAccepted) && !stored.has(row.storageKey),
  )
  const owned = new Set(history.database.jobs.map(({ storageKey }) => storageKey))
  const fetched = [...jobs.values()].filter(({ creations }) => creations[0]?.serves !== undefined)
  const mayBeLeft = fetched.filter(({ row }) => isInterrupted(row, history)).map(({ row }) => row.id)
  const orphans = history.storedDocuments.filter(
    (key) => !owned.has(key) && !mayBeLeft.some((id) => key.startsWith(`${id}-`)),
  )
  const withJob = new Set([...jobs.values()].map((job) => job.creations))
  const excused = [...creations.values()].reduce((count, calls) => {
    if (calls.some(({ reprintOf }) => reprintOf !== undefined)) return count
    const undecided = calls.filter(isUndecided).length
    // One of them has made the job, and its document is no orphan.
    const isOwned = withJob.has(calls) && !calls.some(isAccepted)
    return count + (isOwned ? Math.max(0, undecided - 1) : undecided)
  }, 0)
  return [
    ...missing.map(({ row }) => violation('lost', row.id, 'The document of the job is not in the file store.')),
    ...orphans
      .slice(excused)
      .map((key) => violation('other', key, 'No job and no unanswered creation explains this document.')),
  ]
}

function isInterrupted({ createdAtMs, finishedAtMs }: JobRow, { faults, collectedAtMs }: History): boolean {
  return isDisturbed(faults, createdAtMs, finishedAtMs ?? collectedAtMs)
}
