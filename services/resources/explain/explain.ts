/**
 * Explains why a job is in its state: first whether there is paper, then the cause, then what to do. Pure. Used by
 * `GET /v1/printjobs/{id}/explanation` and `platen-server inspect`. Reference:
 * docs/reference/print-jobs.md#explanation.
 */

import type { JobState } from '../job-states.ts'
import { NEXT_STEPS, type NextStep } from '../next-steps.ts'
import { AT_COMPUTER_RULES, DONE_RULES, PRINTING_RULES, RECEIVED_RULES } from './active-rules.ts'
import { CANCELLED_RULES, ERROR_RULES, EXPIRED_RULES } from './ended-rules.ts'
import type { Facts } from './facts.ts'
import { listFacts, type ShownFact } from './list-facts.ts'
import type { Paper, Rule } from './rule.ts'
import { fillIn } from './texts.ts'
import { toDate } from './to-facts.ts'
import { QUEUED_RULES, SENT_RULES } from './waiting-rules.ts'

/** The last rule of each state applies to all its jobs. */
export const RULES: Record<JobState, readonly Rule[]> = {
  queued: QUEUED_RULES,
  sent: SENT_RULES,
  received: RECEIVED_RULES,
  printing: PRINTING_RULES,
  done: DONE_RULES,
  error: ERROR_RULES,
  cancelled: CANCELLED_RULES,
  expired: EXPIRED_RULES,
}

/** The codes of the rules that a new job can wait for. */
export const WAITING_CODES: readonly string[] = [
  ...new Set([...QUEUED_RULES, ...RECEIVED_RULES].flatMap(({ code, waits }) => (waits ? code : []))),
].toSorted()

const HEADLINES: Record<Paper, string> = {
  none: 'Not printed',
  not_yet: 'Not printed yet',
  printing: 'Printing',
  printed: 'Printed',
  maybe: 'Check for the paper first',
}
/** Test mode has no paper. */
const TEST_MAYBE = 'Printed or not: unknown'
const TEST_PAPER = ' Test mode has no paper; at a real printer, look for it before you print again.'
/** The summary of a job whose printer has stopped. */
const PRINTING_STOPPED = 'Printing, but the printer waits'

export interface Explanation {
  code: string
  paper: Paper
  headline: string
  cause: string
  since: Date | null
  until: Date | null
  actions: Action[]
  facts: ShownFact[]
}

export interface Action {
  kind: NextStep
  text: string
  /** What the action is about: a printer, a computer or a job. */
  printerId?: string
  computerId?: string
  jobId?: string
}

export function explain(facts: Facts): Explanation {
  const { job, events, names } = facts
  const rule = RULES[job.state as JobState].find(({ applies }) => applies(facts))
  if (!rule) throw new Error(`no rule explains a job in ${job.state}`)
  const {
    paper,
    headline = job.mode === 'test' && paper === 'maybe' ? TEST_MAYBE : HEADLINES[paper],
    cause,
    since = toDate(events.at(-1)?.createdAt),
    until,
    nextSteps,
  } = rule.explain(facts)
  const hasStopped = paper === 'printing' && AT_COMPUTER_RULES.includes(rule)
  return {
    code: rule.code,
    paper,
    headline: hasStopped ? PRINTING_STOPPED : headline,
    cause: fillIn(cause, names, job.stateMessage) + (job.mode === 'test' && paper === 'maybe' ? TEST_PAPER : ''),
    since: since ?? null,
    until: until ?? null,
    actions: toPossibleSteps(nextSteps, facts).map((step) => toAction(step, facts)),
    facts: listFacts(facts),
  }
}

/** Steps at a computer or a printer, which a person cannot go to in test mode. */
const ON_SITE: readonly NextStep[] = [
  ...(['start_computer', 'enrol_again', 'run_doctor', 'check_agent', 'free_space'] as const),
  ...(['check_printer', 'check_queue', 'resume_queue', 'check_paper', 'check_trays', 'set_language'] as const),
]

function toPossibleSteps(steps: readonly NextStep[], facts: Facts): NextStep[] {
  const possible = [...new Set(steps.map((step) => toPossible(step, facts)))]
  if (facts.job.mode !== 'test') return possible
  const reachable = possible.filter((step) => !ON_SITE.includes(step))
  return reachable.length === 0 && facts.job.finishedAt === undefined ? ['wait'] : reachable
}

/** A job can be printed again while its document is stored. A language is for documents that are drawn. */
function toPossible(step: NextStep, { job, documentKeptUntil, now }: Facts): NextStep {
  if (step === 'print_again') return documentKeptUntil && documentKeptUntil > now ? step : 'send_again'
  if (step === 'set_language' && job.contentType.startsWith('raw_')) return 'check_document'
  return step
}

function toAction(kind: NextStep, { job, queue, names }: Facts): Action {
  const text = fillIn(NEXT_STEPS[kind], names)
  if (kind === 'open_job') return { kind, text, jobId: queue?.headJobId ?? job.id }
  if (kind.startsWith('print_')) return { kind, text, jobId: job.id }
  if (NEXT_STEPS[kind].includes('{printer}')) return { kind, text, printerId: job.printerId }
  if (NEXT_STEPS[kind].includes('{computer}')) return { kind, text, computerId: job.computerId }
  return { kind, text }
}
