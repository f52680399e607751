/** The rows of the timeline of a job. */

import { toWords } from '@platen/resources/reason-words.ts'
import type { Job } from '../../../api/resources.ts'
import type { Explanation } from './use-explanation.ts'

interface JobStep {
  kind: 'job'
  id: string
  at: string
  /** Undefined for the first one. */
  sincePreviousMs?: number
  state: Job['state']
  actor: string
  message: string | null
}

/** A step of printer or computer. */
interface AroundStep {
  kind: 'around'
  id: string
  at: string
  text: string
}

export type Step = JobStep | AroundStep

const RESEND = /^resend /

export function toSteps(explanation: Explanation, user: { id: string; email: string }): Step[] {
  const { events, around } = explanation
  const steps: JobStep[] = []
  let resends = 0
  for (const event of events) {
    const previous = steps.at(-1)
    const sincePreviousMs = previous && Date.parse(event.createdAt) - Date.parse(previous.at)
    // Repeated attempts are one row, which has the time of the last one.
    if (previous && resends > 0 && event.state === previous.state && RESEND.test(event.message ?? '')) {
      resends += 1
      previous.at = event.createdAt
      previous.message = `${resends} resends`
      continue
    }
    resends = RESEND.test(event.message ?? '') ? 1 : 0
    steps.push({
      kind: 'job',
      id: event.id,
      at: event.createdAt,
      sincePreviousMs,
      state: event.state,
      actor: nameActor(event, explanation, user),
      message: event.message,
    })
  }
  const others = around.map(
    (event): AroundStep => ({ kind: 'around', id: event.id, at: event.timestamp, text: describe(event) }),
  )
  return [...steps, ...others].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

function nameActor(
  { actor, state }: Explanation['events'][number],
  { createdBy, cancelledBy, computer }: Explanation,
  user: { id: string; email: string },
): string {
  if (actor === 'system') return 'Platen'
  if (actor === 'agent') return computer ? `agent on ${computer.name}` : 'agent'
  const who = state === 'cancelled' ? cancelledBy : createdBy
  if (!who) return actor === 'user' ? 'user' : 'API key'
  if (who.kind === 'user') return who.id === user.id ? 'you' : (who.name ?? 'user')
  return `key “${who.name ?? who.id}”`
}

/** "printer Label 2 offline" */
function describe(event: Explanation['around'][number]): string {
  const [kind, what] = event.type.split('.') as [string, string]
  const { data } = event
  const name = 'displayName' in data ? data.displayName : 'name' in data ? data.name : ''
  const reasons =
    'stateReasons' in data && data.stateReasons.length > 0 ? ` (${data.stateReasons.map(toWords).join(', ')})` : ''
  return `${kind} ${name} ${what}${reasons}`
}
