/** What must hold of each job, whoever was killed while it was printed. */
import { FINAL_STATES } from '../chaos/checker/facts.ts'
import type { Releases } from './releases.ts'

export interface EndedJob {
  id: string
  state: string
  stateMessage: string | null
  stateReasons: string[]
}

export interface Violation {
  job: string
  says: string
}

/** Why a job may end in `error` when nothing but processes failed: a CUPS that came back may leave a job standing for ever. */
const EXCUSES = ['unconfirmed', 'spooler-timeout']

/** @param releases by job id. */
export function judge(jobs: EndedJob[], releases: Map<string, Releases>): Violation[] {
  return jobs.flatMap(({ id, state, stateMessage, stateReasons }) => {
    const { confirmed, unanswered } = releases.get(id) ?? { confirmed: 0, unanswered: 0 }
    const says = [
      confirmed > 1 && `was released ${confirmed} times`,
      !FINAL_STATES.includes(state) && `did not end: it is ${state}`,
      state === 'done' && confirmed + unanswered === 0 && 'is done and was never released',
      state === 'error' &&
        !stateReasons.some((reason) => EXCUSES.includes(reason)) &&
        `ended in error for no reason: ${stateMessage}`,
    ]
    return says.filter((sentence) => sentence !== false).map((sentence) => ({ job: id, says: sentence }))
  })
}
