/** Rules for jobs in `received` and `printing`, which are at their computer, and for `done`. */
import { ATTENTION_KEYWORDS, findStateReason, UNREACHABLE_KEYWORDS, WARNINGS } from '../state-reasons.ts'
import type { Facts } from './facts.ts'
import type { Cause, Rule } from './rule.ts'
import { countJobs, toTime } from './texts.ts'
import { shorten, toDate } from './to-facts.ts'
import { isDiskFull } from './waiting-rules.ts'

const PRINTING_LONG_MS = 5 * 60_000
const AT_COMPUTER_LONG_MS = 60_000

/** Without warnings. */
export const getReasons = ({ job }: Pick<Facts, 'job'>) =>
  job.stateReasons.filter((reason) => !WARNINGS.includes(reason))

const hasAny = (reasons: string[], keywords: readonly string[]) => reasons.some((reason) => keywords.includes(reason))

/** The message of a printer is shortened so that the cause has at most two lines. */
const WORDS_LENGTH_MAX = 90

const UNREACHABLE = [...UNREACHABLE_KEYWORDS, 'shutdown', 'timed-out', 'deactivated', 'spooling-disabled']

const isPrinting = ({ job }: Facts) => job.state === 'printing'

/** The job has left no paper before the spooler processes it. */
const atComputer = (facts: Facts, cause: string, nextSteps: Cause['nextSteps'], since?: Date | null): Cause => ({
  paper: isPrinting(facts) ? 'printing' : 'not_yet',
  cause,
  ...(since !== undefined && { since }),
  until: isPrinting(facts) ? facts.printingUntil : toDate(facts.job.expiresAt),
  nextSteps,
})

const untilTimeout = (facts: Facts) => {
  const time = isPrinting(facts) ? facts.printingUntil : toDate(facts.job.expiresAt)
  return time ? ` The job ends at ${toTime(time)}.` : ''
}

const OFFLINE_STEPS = ['start_computer', 'run_doctor'] as const
const REFUSED_STEPS = ['enrol_again'] as const

/** In words of the spooler or the printer. */
const getMessage = ({ job, printer }: Facts) => job.stateMessage || printer?.stateDetail || ''

/** The reason is one of the agent, which tries again. */
const toAgentRule = (reason: string): Rule => ({
  code: reason,
  applies: (facts) => getReasons(facts).includes(reason),
  explain(facts) {
    const { cause = '', nextSteps = [] } = findStateReason(reason, 'received') ?? {}
    return atComputer(facts, cause, nextSteps)
  },
})

export const AT_COMPUTER_RULES: readonly Rule[] = [
  {
    code: 'computer-offline',
    waits: true,
    applies: ({ computer }) => computer?.state !== 'online',
    explain: ({ computer }) => ({
      paper: 'maybe',
      cause: 'Computer {computer} went offline after it had received the job. Its report follows when it is back.',
      since: computer?.since ?? null,
      nextSteps: ['check_paper', ...(computer?.unauthorizedAt ? REFUSED_STEPS : OFFLINE_STEPS)],
    }),
  },
  {
    code: 'computer-disk-full',
    waits: true,
    applies: (facts) =>
      getReasons(facts).includes('computer-disk-full') ||
      (facts.job.state === 'received' && getReasons(facts).length === 0 && isDiskFull(facts)),
    explain(facts) {
      const { cause = '', nextSteps = [] } = findStateReason('computer-disk-full', 'received') ?? {}
      return atComputer(facts, cause + untilTimeout(facts), nextSteps)
    },
  },
  ...['document-not-downloaded', 'documents-limit', 'spooler-not-ready'].map(toAgentRule),
  {
    code: 'queue-paused',
    waits: true,
    applies: (facts) => getReasons(facts).includes('paused') || facts.printer?.stateReasons.includes('paused') === true,
    explain: (facts) =>
      atComputer(
        facts,
        `The queue of printer {printer} on computer {computer} is paused.${untilTimeout(facts)}`,
        ['resume_queue', 'print_elsewhere'],
        facts.printer?.since ?? null,
      ),
  },
  {
    code: 'printer-offline',
    waits: true,
    applies: (facts) => hasAny(getReasons(facts), UNREACHABLE) || facts.printer?.state === 'offline',
    explain(facts) {
      const { cause = '', nextSteps = [] } = findStateReason('offline', 'printing') ?? {}
      return atComputer(facts, cause + untilTimeout(facts), nextSteps, facts.printer?.since ?? null)
    },
  },
  {
    code: 'printer-waits',
    waits: true,
    applies: (facts) => getReasons(facts).length > 0 || hasAny(facts.printer?.stateReasons ?? [], ATTENTION_KEYWORDS),
    explain(facts) {
      const { nextSteps = [] } = findStateReason('media-empty', 'printing') ?? {}
      const words = getMessage(facts) || [...getReasons(facts), ...(facts.printer?.stateReasons ?? [])].join(', ')
      return atComputer(facts, `Printer {printer} needs attention: ${shorten(words, WORDS_LENGTH_MAX)}`, nextSteps)
    },
  },
]

export const RECEIVED_RULES: readonly Rule[] = [
  ...AT_COMPUTER_RULES,
  {
    code: 'in-spooler-queue',
    applies: ({ queue }) => queue !== undefined && queue.position !== 1,
    explain(facts) {
      const { position = 0, length = 0 } = facts.queue ?? {}
      const ahead = position > 0 ? position - 1 : length
      return atComputer(facts, `Computer {computer} has the job. Printer {printer} has ${countJobs(ahead)}.`, [
        'open_job',
        'wait',
      ])
    },
  },
  {
    code: 'at-computer-long',
    applies: ({ job, now }) => now.getTime() - (toDate(job.receivedAt) ?? now).getTime() > AT_COMPUTER_LONG_MS,
    explain: (facts) =>
      atComputer(
        facts,
        'Computer {computer} has the job, but printer {printer} has not begun it. Its queue may have jobs of other programs.',
        ['check_queue', 'check_printer', 'wait'],
      ),
  },
  {
    code: 'at-computer',
    applies: () => true,
    explain: (facts) =>
      atComputer(facts, 'Computer {computer} has the job and hands it to printer {printer}.', ['wait']),
  },
]

export const PRINTING_RULES: readonly Rule[] = [
  ...AT_COMPUTER_RULES,
  {
    code: 'printing-long',
    applies: ({ job, now }) => now.getTime() - (toDate(job.printingAt) ?? now).getTime() > PRINTING_LONG_MS,
    explain: (facts) =>
      atComputer(facts, `Printer {printer} has been printing for more than 5 minutes.${untilTimeout(facts)}`, [
        'check_printer',
        'wait',
      ]),
  },
  {
    code: 'printing',
    applies: () => true,
    explain: (facts) => atComputer(facts, 'Printer {printer} at computer {computer} is printing the job.', ['wait']),
  },
]

/**
 * Names in the message of `option-ignored`: "Ignored options: nup 4 (…); bin `x` (…)", or "The computer ignored the
 * option nup 4: …".
 */
const OPTION_NAME = /(?:options: |the option |; )(\w+) /g

const findIgnoredOptions = (message: string): string[] => [
  ...new Set([...message.matchAll(OPTION_NAME)].flatMap(([, name]) => name ?? [])),
]

const PRINTED_IN_TEST_MODE = 'The virtual printer {printer} printed the job. Test mode uses no paper.'
/** What confirmed that the job is on paper. A job of an earlier release has none. */
const PRINTED: Record<string, string> = {
  printer: 'Printer {printer} itself has confirmed that the job is on paper.',
  spooler: 'Computer {computer} has finished the job. Printer {printer} does not say itself whether it is on paper.',
  '': 'Computer {computer} reported that printer {printer} has printed the job.',
}

/** The reason is one of the agent about the document. */
const toDocumentRule = (reason: string): Rule => ({
  code: `done-${reason}`,
  applies: ({ job }) => job.stateReasons.includes(reason),
  explain() {
    const { cause = '', nextSteps = [] } = findStateReason(reason, 'done') ?? {}
    return { paper: 'printed', cause, nextSteps }
  },
})

export const DONE_RULES: readonly Rule[] = [
  {
    code: 'done-unconfirmed',
    applies: (facts) => getReasons(facts).includes('completion-unconfirmed'),
    explain() {
      const { cause = '', nextSteps = [] } = findStateReason('completion-unconfirmed', 'done') ?? {}
      return { paper: 'maybe', cause, nextSteps }
    },
  },
  ...['font-not-embedded', 'content-outside-page', 'layers-uncertain', 'page-scaled'].map(toDocumentRule),
  {
    code: 'done-options-ignored',
    applies: ({ job }) => job.stateReasons.includes('option-ignored'),
    explain({ job }) {
      const { cause = '' } = findStateReason('option-ignored', 'done') ?? {}
      const names = findIgnoredOptions(job.stateMessage ?? '')
      if (names.length === 0) return { paper: 'printed', cause, nextSteps: ['check_trays'] }
      const [options, were] = names.length === 1 ? ['option', 'was'] : ['options', 'were']
      return {
        paper: 'printed',
        headline: `Printed, but ${names.length} ${options} ${were} ignored`,
        cause: `Printer {printer} printed the job without the ${options} ${names.map((name) => `\`${name}\``).join(', ')}.`,
        nextSteps: ['check_trays'],
      }
    },
  },
  {
    code: 'done',
    applies: () => true,
    explain: ({ job }) =>
      job.mode === 'test'
        ? { paper: 'printed', cause: PRINTED_IN_TEST_MODE, nextSteps: [] }
        : { paper: 'printed', cause: PRINTED[job.confirmedBy ?? ''] ?? '', nextSteps: ['check_trays'] },
  },
]
