/**
 * `stateMessage` and `stateReasons` of the API: those of the state, and the warning about ignored options. Events are
 * made by SQL, jobs are read as entities, so the rule exists in both forms; `tests/edge/event-body.server.test.ts`
 * compares them.
 */
import type { Job } from './entities.ts'

/** The message of a job that the service itself ends is part of the API or complete, so nothing is added to it. */
const WITHOUT_WARNING = ['agent-lost', 'computer-deleted', 'purged', 'spooler-timeout']

type State = Pick<Job, 'stateMessage' | 'stateReasons' | 'optionWarning'>

export function toShownState({ stateMessage, stateReasons, optionWarning }: State) {
  if (!optionWarning) return { stateMessage: stateMessage ?? undefined, stateReasons }
  return {
    stateMessage: stateReasons.some((reason) => WITHOUT_WARNING.includes(reason))
      ? (stateMessage ?? undefined)
      : joinSentences(stateMessage, optionWarning),
    stateReasons: stateReasons.includes('option-ignored') ? stateReasons : [...stateReasons, 'option-ignored'],
  }
}

function joinSentences(first: State['stateMessage'], second: string): string {
  if (!first) return second
  return `${/[.!?]$/.test(first) ? first : `${first}.`} ${second}`
}

/** SQL of the shown message. @param job row of the job. */
export const shownMessage = (job: string) => `CASE
  WHEN ${job}.option_warning IS NULL OR ${job}.state_reasons && ARRAY[${WITHOUT_WARNING.map((reason) => `'${reason}'`)}]
    THEN ${job}.state_message
  ELSE concat_ws(' ', regexp_replace(${job}.state_message, '([^.!?])$', '\\1.'), ${job}.option_warning) END`

/** SQL of the shown reasons. @param job row of the job. */
export const shownReasons = (job: string) => `CASE
  WHEN ${job}.option_warning IS NULL OR 'option-ignored' = ANY(${job}.state_reasons) THEN ${job}.state_reasons
  ELSE ${job}.state_reasons || 'option-ignored'::text END`
