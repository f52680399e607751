/**
 * Bugs that the harness plants in the shipped sources, each of a kind that somebody could write in good faith, to see whether a run
 * with faults notices it. Most of them do no harm while nothing fails. A bug whose text is not in its file any more is to be written
 * anew, not dropped.
 */
import { AGENT_BUGS } from './agent-bugs.ts'
import type { PlantedBug } from './planted-bug.ts'
import { SERVICE_BUGS } from './service-bugs.ts'
import { WEBHOOK_BUGS } from './webhook-bugs.ts'

export const PLANTED_BUGS: PlantedBug[] = [...SERVICE_BUGS, ...AGENT_BUGS, ...WEBHOOK_BUGS]

/** @throws Error for a name that no bug has. */
export function findBug(name: string): PlantedBug {
  const bug = PLANTED_BUGS.find((bug) => bug.name === name)
  if (!bug)
    throw new Error(`There is no planted bug "${name}". There are: ${PLANTED_BUGS.map(({ name }) => name).join(', ')}.`)
  return bug
}
