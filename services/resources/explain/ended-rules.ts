/** Rules for jobs in `error`, `cancelled` and `expired`. */

import type { JobState } from '../job-states.ts'
import { toWords } from '../reason-words.ts'
import { STATE_REASONS, STOPPING_KEYWORDS, type StateReason } from '../state-reasons.ts'
import { getReasons } from './active-rules.ts'
import type { Facts } from './facts.ts'
import type { Paper, Rule } from './rule.ts'
import { QUEUED_RULES, SENT_RULES } from './waiting-rules.ts'

const filterReasons = (state: JobState): readonly StateReason[] =>
  STATE_REASONS.filter(({ states }) => states.includes(state))

const findErrorReason = (keyword: string) => filterReasons('error').find(({ keywords }) => keywords.includes(keyword))

/** An unknown reason can mean paper. */
function toPaper(keyword: string, { job }: Facts): Paper {
  const paper = findErrorReason(keyword)?.paper
  if (paper === 'none-before-printing') return job.printingAt ? 'maybe' : 'none'
  return paper ?? 'maybe'
}

/** The reason that decides: the first one that can mean paper, otherwise the first one. */
function getDecisive(facts: Facts): string | undefined {
  const reasons = getReasons(facts)
  return reasons.find((reason) => toPaper(reason, facts) === 'maybe') ?? reasons[0]
}

/** The printer was stopped when the time of the job was over. */
function explainTimeout(facts: Facts): string | undefined {
  const fault = getReasons(facts).find((reason) => STOPPING_KEYWORDS.includes(reason))
  if (!fault) return undefined
  return `Printer {printer} did not finish the job in time: ${toWords(fault)}. It may still hold the rest, and print it when it is repaired.`
}

const toErrorRule = ({ keywords: [keyword = ''], cause, nextSteps }: StateReason): Rule => ({
  code: keyword,
  applies: (facts) => getDecisive(facts) === keyword,
  explain(facts) {
    const paper = toPaper(keyword, facts)
    const timeout = keyword === 'spooler-timeout' ? explainTimeout(facts) : undefined
    return { paper, cause: timeout ?? cause, nextSteps: paper === 'maybe' ? withCheckFirst(nextSteps) : nextSteps }
  },
})

const withCheckFirst = (nextSteps: StateReason['nextSteps']): StateReason['nextSteps'] => [
  'check_paper',
  ...nextSteps.filter((step) => step !== 'check_paper'),
]

export const ERROR_RULES: readonly Rule[] = [
  ...filterReasons('error').map(toErrorRule),
  {
    code: 'unknown-reason',
    applies: () => true,
    explain: ({ job }) => ({
      paper: 'maybe',
      cause: `The job ended with an error: ${job.stateMessage ? '{message}' : job.stateReasons.join(', ') || 'no reason was reported'}`,
      nextSteps: ['check_paper', 'print_again'],
    }),
  },
]

const toCancelledRule = ({ keywords: [keyword = ''], cause, nextSteps }: StateReason): Rule => ({
  code: keyword,
  applies: (facts) => getReasons(facts).includes(keyword),
  explain: () => ({ paper: 'none', cause, nextSteps: nextSteps.filter((step) => step !== 'check_paper') }),
})

const CANCELLED_BY: Record<string, string> = {
  api: 'by a request with an API key',
  user: 'by a user of the dashboard',
}

export const CANCELLED_RULES: readonly Rule[] = [
  ...filterReasons('cancelled').map(toCancelledRule),
  {
    code: 'cancelled-by',
    applies: () => true,
    explain: ({ events }) => ({
      paper: 'none',
      cause: `The job was cancelled ${CANCELLED_BY[events.at(-1)?.actor ?? ''] ?? 'by the service'} before computer {computer} received it.`,
      nextSteps: ['print_again'],
    }),
  },
]

export const EXPIRED_RULES: readonly Rule[] = [
  {
    code: 'expired-waiting',
    applies: () => true,
    explain(facts) {
      const events = facts.events.slice(0, -1)
      const before = { ...facts, events }
      const rules = events.at(-1)?.state === 'sent' ? SENT_RULES : QUEUED_RULES
      const { waitedFor = 'computer {computer}' } = rules.find((rule) => rule.applies(before))?.explain(before) ?? {}
      return {
        paper: 'none',
        cause: `The job expired before it was printed. It waited for ${waitedFor}.`,
        nextSteps: ['print_again', 'print_elsewhere'],
      }
    },
  },
]
