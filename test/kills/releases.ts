/** What the agent asked of CUPS, by job. */
import type { IppCall } from './ipp-recorder.ts'

/** The job's id, which the agent puts into the name of its spooler job. */
const TOKEN = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

export interface Releases {
  /** That CUPS confirmed. */
  confirmed: number
  /** That CUPS did not answer: it may have heeded them or not. */
  unanswered: number
}

/**
 * By job id.
 *
 * @throws Error when something was printed without being held, or released that is no job of the agent's.
 */
export function releasesOf(calls: IppCall[]): Map<string, Releases> {
  const releases = new Map<string, Releases>()
  for (const { operation, jobName = '', status } of calls) {
    const token = TOKEN.exec(jobName)?.[0]
    if (!token) throw new Error(`${operation} of "${jobName}", whose name holds no token`)
    if (operation === 'Print-Job') throw new Error(`"${jobName}" was sent without being held`)
    if (operation !== 'Release-Job' || (status !== undefined && !status.startsWith('successful-'))) continue
    const { confirmed, unanswered } = releases.get(token) ?? { confirmed: 0, unanswered: 0 }
    releases.set(
      token,
      status === undefined ? { confirmed, unanswered: unanswered + 1 } : { confirmed: confirmed + 1, unanswered },
    )
  }
  return releases
}
